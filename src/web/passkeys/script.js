// @ts-nocheck: this file runs in browsers, and the project has no types for them.
// Forms that a passkey fills in: asks the server for options, the browser for a credential, and sends it in the form.

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

const toText = (buffer) =>
  buffer &&
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const withBytes = (list) => list?.map((each) => ({ ...each, id: toBytes(each.id) }));

/** For browsers without parseCreationOptionsFromJSON. */
const readCreation = (options) => ({
  ...options,
  challenge: toBytes(options.challenge),
  user: { ...options.user, id: toBytes(options.user.id) },
  excludeCredentials: withBytes(options.excludeCredentials),
});

/** For browsers without parseRequestOptionsFromJSON. */
const readRequest = (options) => ({
  ...options,
  challenge: toBytes(options.challenge),
  allowCredentials: withBytes(options.allowCredentials),
});

/** For browsers without PublicKeyCredential.toJSON. */
function writeCredential({ id, rawId, type, authenticatorAttachment, response }) {
  const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = response;
  return {
    ...{ id, rawId: toText(rawId), type, authenticatorAttachment, clientExtensionResults: {} },
    response: {
      clientDataJSON: toText(clientDataJSON),
      attestationObject: toText(attestationObject),
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
      userHandle: toText(userHandle),
      transports: response.getTransports?.(),
    },
  };
}

async function createCredential(options) {
  const read = PublicKeyCredential.parseCreationOptionsFromJSON?.bind(PublicKeyCredential) ?? readCreation;
  return navigator.credentials.create({ publicKey: read(options) });
}

async function getCredential(options) {
  const read = PublicKeyCredential.parseRequestOptionsFromJSON?.bind(PublicKeyCredential) ?? readRequest;
  return navigator.credentials.get({ publicKey: read(options) });
}

/** toJSON of some password managers throws. */
function textOf(credential) {
  try {
    return JSON.stringify(credential.toJSON());
  } catch {
    return JSON.stringify(writeCredential(credential));
  }
}

const FAILURES = {
  InvalidStateError: 'This device has a passkey for your account already.',
  NotAllowedError: 'Nothing was done: it was cancelled, or took too long.',
  SecurityError: 'Passkeys do not work at this address.',
};

async function optionsOf(form) {
  const body = new URLSearchParams(new FormData(form));
  body.delete('credential');
  const answer = await fetch(form.dataset.options, { method: 'POST', body });
  if (!answer.ok) throw new Error('no options');
  return answer.json();
}

async function fill(form) {
  const options = await optionsOf(form);
  const ask = form.dataset.passkey === 'create' ? createCredential : getCredential;
  form.elements.credential.value = textOf(await ask(options));
  form.submit();
}

function enable(form) {
  const button = form.querySelector('button');
  const failure = form.querySelector('[role=alert]');
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.disabled = true;
    failure.hidden = true;
    fill(form).catch((error) => {
      button.disabled = false;
      failure.hidden = false;
      failure.textContent = FAILURES[error.name] ?? 'That did not work. Reload the page and try again.';
      button.focus();
    });
  });
}

if (window.PublicKeyCredential)
  for (const form of document.querySelectorAll('form[data-passkey]')) enable(form);
else for (const note of document.querySelectorAll('.no-passkeys')) note.hidden = false;

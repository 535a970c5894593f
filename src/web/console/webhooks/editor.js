// Offers GraphiQL's editor in place of a text field. Its files, which are large, are loaded when somebody asks for it.
const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('button[data-editor-of]'));
const status = button?.nextElementSibling;

function load() {
  if (!button || !status) return;
  status.textContent = 'The editor is being loaded.';
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = `${button.dataset.files}/graphiql.css`;
  const script = document.createElement('script');
  script.src = `${button.dataset.files}/graphiql.js`;
  script.addEventListener('load', () => {
    status.textContent = '';
  });
  script.addEventListener('error', () => {
    script.remove();
    status.textContent = 'The editor could not be loaded. The text field works without it.';
    button.addEventListener('click', load, { once: true });
  });
  document.head.append(style, script);
}

if (button) {
  button.hidden = false;
  button.addEventListener('click', load, { once: true });
}

// Shows the buttons that copy a text, which need a script.
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
  document.querySelectorAll('button[data-copy]')
)) {
  const source = document.getElementById(button.dataset.copy ?? '');
  const status = button.nextElementSibling;
  if (!source || !status) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent ?? '');
      status.textContent = 'Copied';
    } catch {
      getSelection()?.selectAllChildren(source);
      status.textContent = 'Selected: copy it with your keyboard';
    }
  });
}

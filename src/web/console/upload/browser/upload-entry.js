// @ts-nocheck: this file runs in browsers, and the project has no types for them.

let count = 0;

const element = (name, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
};

/** The line of one file: its name, its progress, and a button. */
export class UploadEntry {
  #state = element('p');
  #button = element('button', { type: 'button', className: 'small plain' });
  #progress;

  constructor(list, name) {
    const id = `upload-${++count}`;
    const label = element('bdi', { id, className: 'who', textContent: name });
    this.#progress = element('progress', { max: 1, value: 0 });
    this.#progress.setAttribute('aria-labelledby', id);
    this.#button.setAttribute('aria-describedby', id);
    const what = element('div', { className: 'what' }, label, this.#progress, this.#state);
    list.append(element('li', {}, what, element('div', { className: 'buttons' }, this.#button)));
  }

  show(text) {
    this.#state.textContent = text;
    this.#state.className = '';
  }

  advance({ sent, total, waiting }) {
    const part = total ? sent / total : 1;
    this.#progress.value = part;
    this.show(waiting ? 'The connection is lost. It continues by itself.' : `${Math.floor(100 * part)} %`);
  }

  /** Shows a button that does something with the file. */
  offer(text, act) {
    this.#button.hidden = false;
    this.#button.textContent = text;
    this.#button.onclick = act;
  }

  end(text, isFailure) {
    this.#button.hidden = true;
    this.#progress.hidden = isFailure;
    this.show(text);
    this.#state.className = isFailure ? 'error' : '';
  }

  restart() {
    this.#progress.hidden = false;
    this.#progress.value = 0;
  }
}

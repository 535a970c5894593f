// @ts-nocheck: it runs in browsers, whose types this program of a server does not have.
// What the signing page does beyond its form: drawing, and showing on the document what is typed. All of it may be absent.

const INK = '#10243e';
const WIDTH = 2.6;
/** What is sent of a drawing: no wider than this, in pixels. */
const SENT_WIDTH = 800;

const markOf = (element) => document.getElementById(element.dataset.mark ?? '');

/** Shows on the page of the document what goes into one of its places. */
function show(mark, { text = '', image = '' }) {
  if (!mark) return;
  const span = mark.querySelector('span');
  mark.dataset.label ??= span.textContent;
  mark.classList.toggle('filled', text !== '' || image !== '');
  mark.querySelector('img')?.remove();
  span.hidden = image !== '';
  span.textContent = text || mark.dataset.label;
  if (image) mark.append(Object.assign(new Image(), { src: image, alt: '' }));
}

/** A pad to draw on: strokes in CSS pixels, drawn smoothly through the middles between their points. */
function pad(canvas, changed) {
  const context = canvas.getContext('2d');
  const strokes = [];
  let current = null;

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const redraw = () => {
    const { width, height } = canvas.getBoundingClientRect();
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    drawAll(context, strokes);
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    current = [place(event)];
    strokes.push(current);
    redraw();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!current) return;
    for (const each of event.getCoalescedEvents?.() ?? [event]) current.push(place(each));
    redraw();
  });
  for (const end of ['pointerup', 'pointercancel'])
    canvas.addEventListener(end, () => {
      if (!current) return;
      current = null;
      changed(picture(strokes));
    });
  new ResizeObserver(() => redraw()).observe(canvas);
  return () => {
    strokes.length = 0;
    redraw();
    changed('');
  };
}

function drawAll(context, strokes) {
  Object.assign(context, { lineWidth: WIDTH, lineCap: 'round', lineJoin: 'round', strokeStyle: INK });
  for (const points of strokes) {
    context.beginPath();
    context.moveTo(points[0].x, points[0].y);
    for (let i = 1; i < points.length - 1; i++) {
      const [at, next] = [points[i], points[i + 1]];
      context.quadraticCurveTo(at.x, at.y, (at.x + next.x) / 2, (at.y + next.y) / 2);
    }
    const last = points.at(-1);
    context.lineTo(last.x + (points.length === 1 ? 0.01 : 0), last.y);
    context.stroke();
  }
}

/** What was drawn, cut to its edges, on nothing; '' when nothing was. */
function picture(strokes) {
  const points = strokes.flat();
  if (points.length < 2) return '';
  const [left, top] = [Math.min(...points.map(({ x }) => x)), Math.min(...points.map(({ y }) => y))];
  const [right, bottom] = [Math.max(...points.map(({ x }) => x)), Math.max(...points.map(({ y }) => y))];
  const [width, height] = [right - left + 2 * WIDTH, bottom - top + 2 * WIDTH];
  const scale = Math.min(2, SENT_WIDTH / width);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  context.translate(WIDTH - left, WIDTH - top);
  drawAll(context, strokes);
  return canvas.toDataURL('image/png');
}

/** A signature: the choice between drawing and typing, of which one counts. */
function ink(fieldset) {
  const mark = markOf(fieldset);
  const typed = fieldset.querySelector('.typed');
  const drawn = fieldset.querySelector('[name^="drawn."]');
  const [draw, type] = fieldset.querySelectorAll('[type=radio]');
  const area = fieldset.querySelector('.pad');
  const preview = () => show(mark, draw.checked ? { image: drawn.value } : { text: typed.value.trim() });
  const choose = () => {
    area.hidden = !draw.checked;
    typed.hidden = draw.checked;
    preview();
  };
  fieldset.querySelector('.ways').hidden = false;
  if (!draw.checked) {
    const byFinger = matchMedia('(pointer: coarse)').matches && typed.value === '';
    (byFinger ? draw : type).checked = true;
  }
  const clear = pad(area.querySelector('canvas'), (image) => {
    drawn.value = image;
    preview();
  });
  area.querySelector('.clear').addEventListener('click', clear);
  for (const way of [draw, type]) way.addEventListener('change', choose);
  typed.addEventListener('input', preview);
  choose();
}

for (const fieldset of document.querySelectorAll('[data-ink]')) ink(fieldset);

for (const input of document.querySelectorAll('input[data-mark], textarea[data-mark]')) {
  const preview = () => show(markOf(input), { text: input.value.trim() });
  input.addEventListener('input', preview);
  preview();
}

// From a place on the document to its field, with the focus; and back, the place of the field in use stands out.
for (const mark of document.querySelectorAll('a.mark'))
  mark.addEventListener('click', (event) => {
    const input = document.getElementById(mark.hash.slice(1));
    const area = input?.closest('.field');
    if (!area) return;
    event.preventDefault();
    area.scrollIntoView({ block: 'center' });
    const first = input.hidden ? area.querySelector('[type=radio]:checked') : input;
    first.focus({ preventScroll: true });
  });
document.addEventListener('focusin', ({ target }) => {
  for (const mark of document.querySelectorAll('.mark.current')) mark.classList.remove('current');
  const owner = target.closest('[data-mark]');
  if (owner) markOf(owner)?.classList.add('current');
});

// A form is sent once, however often its button is pressed; coming back to the page, it can be sent again.
for (const form of document.querySelectorAll('form[data-once]')) {
  const button = form.querySelector('[type=submit]');
  form.addEventListener('submit', (event) => {
    if (button.ariaDisabled === 'true') event.preventDefault();
    button.ariaDisabled = 'true';
  });
  addEventListener('pageshow', () => {
    button.ariaDisabled = 'false';
  });
}

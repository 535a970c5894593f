// @ts-nocheck: this file runs in browsers, and the project has no types for them.
// Enhances the signing page and the forms: drawn signatures, a preview on the document, single submission. The pages work without it.

const STROKE_COLOR = '#10243e';
const STROKE_WIDTH = 2.6;
/** Maximum width of a submitted drawing in pixels. */
const MAX_PICTURE_WIDTH = 800;

const markOf = (element) => document.getElementById(element.dataset.mark ?? '');

/** Shows the value of a field in its mark on the document. */
function showInMark(mark, { text = '', image = '' }) {
  if (!mark) return;
  const span = mark.querySelector('span');
  mark.dataset.label ??= span.textContent;
  mark.classList.toggle('filled', text !== '' || image !== '');
  mark.querySelector('img')?.remove();
  span.hidden = image !== '';
  span.textContent = text || mark.dataset.label;
  if (image) mark.append(Object.assign(new Image(), { src: image, alt: '' }));
}

/** Redraws a canvas at the resolution of the screen; strokes are in CSS pixels. */
function redrawCanvas(canvas, strokes) {
  const { width, height } = canvas.getBoundingClientRect();
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
  drawStrokes(context, strokes);
}

/** Lets the user draw on a canvas. Calls `onChange` with the picture after each stroke; returns a function that clears it. */
function drawingPad(canvas, onChange) {
  const strokes = [];
  let current = null;

  const pointOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const redraw = () => redrawCanvas(canvas, strokes);
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    current = [pointOf(event)];
    strokes.push(current);
    redraw();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!current) return;
    for (const each of event.getCoalescedEvents?.() ?? [event]) current.push(pointOf(each));
    redraw();
  });
  for (const end of ['pointerup', 'pointercancel'])
    canvas.addEventListener(end, () => {
      if (!current) return;
      current = null;
      onChange(pictureOf(strokes));
    });
  new ResizeObserver(redraw).observe(canvas);
  return () => {
    strokes.length = 0;
    redraw();
    onChange('');
  };
}

/** Draws smooth curves through the midpoints between the points of each stroke. */
function drawStrokes(context, strokes) {
  Object.assign(context, {
    lineWidth: STROKE_WIDTH,
    lineCap: 'round',
    lineJoin: 'round',
    strokeStyle: STROKE_COLOR,
  });
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

/** The drawing as a data URL of a transparent PNG, cropped to its edges; '' if there is none. */
function pictureOf(strokes) {
  const points = strokes.flat();
  if (points.length < 2) return '';
  const [left, top] = [Math.min(...points.map(({ x }) => x)), Math.min(...points.map(({ y }) => y))];
  const [right, bottom] = [Math.max(...points.map(({ x }) => x)), Math.max(...points.map(({ y }) => y))];
  const [width, height] = [right - left + 2 * STROKE_WIDTH, bottom - top + 2 * STROKE_WIDTH];
  const scale = Math.min(2, MAX_PICTURE_WIDTH / width);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  context.translate(STROKE_WIDTH - left, STROKE_WIDTH - top);
  drawStrokes(context, strokes);
  return canvas.toDataURL('image/png');
}

/** A signature or initials, either drawn or typed. */
function enableDrawing(fieldset) {
  const mark = markOf(fieldset);
  const typed = fieldset.querySelector('.typed');
  const drawn = fieldset.querySelector('[name^="drawn."]');
  const [draw, type] = fieldset.querySelectorAll('[type=radio]');
  const area = fieldset.querySelector('.pad');
  const preview = () =>
    showInMark(mark, draw.checked ? { image: drawn.value } : { text: typed.value.trim() });
  const applyMode = () => {
    area.hidden = !draw.checked;
    typed.hidden = draw.checked;
    preview();
  };
  fieldset.querySelector('.modes').hidden = false;
  if (!draw.checked) {
    const isTouch = matchMedia('(pointer: coarse)').matches && typed.value === '';
    (isTouch ? draw : type).checked = true;
  }
  const clear = drawingPad(area.querySelector('canvas'), (image) => {
    drawn.value = image;
    preview();
  });
  area.querySelector('.clear').addEventListener('click', clear);
  for (const mode of [draw, type]) mode.addEventListener('change', applyMode);
  typed.addEventListener('input', preview);
  applyMode();
}

/** Shows the day here, sends its zone, and puts it into dates that the server filled in with its own. */
function showDayHere(line) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const now = new Date();
  const pad = (number) => String(number).padStart(2, '0');
  const day = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
  if (!timeZone) return;
  line.querySelector('input').value = timeZone;
  const time = line.querySelector('time');
  time.dateTime = time.textContent = day;
  line.querySelector('span').textContent = timeZone;
  for (const input of document.querySelectorAll('input[type=date]'))
    if (input.value === line.dataset.day && input.value === input.defaultValue) input.value = day;
}

for (const line of document.querySelectorAll('[data-day]')) showDayHere(line);

for (const fieldset of document.querySelectorAll('[data-signature]')) enableDrawing(fieldset);

for (const input of document.querySelectorAll('input[data-mark], textarea[data-mark]')) {
  const preview = () => showInMark(markOf(input), { text: input.value.trim() });
  input.addEventListener('input', preview);
  preview();
}

// A click on a mark focuses its field; the mark of the focused field is highlighted.
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

// How a number is understood in the language of its reader, beside what was typed.
for (const input of document.querySelectorAll('input[data-locale]')) {
  const output = document.getElementById(`${input.id}-read`);
  input.addEventListener('input', () => {
    const number = readLocalNumber(input.value, input.dataset.locale);
    const shown = number && formatLocalNumber(number, input.dataset.locale);
    output.textContent = shown && shown !== input.value ? `Read as ${shown}` : '';
  });
}

// A form is submitted once, however often its button is pressed; after a return to the page it can be submitted again.
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

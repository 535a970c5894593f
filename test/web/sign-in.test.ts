import { describe, expect, it } from 'vitest';
import { PASSKEY_SCRIPT } from '../../src/web/passkeys/passkey-form.tsx';
import { SignIn, type SignInProps } from '../../src/web/sign-in/view.tsx';
import { Message } from '../../src/web/ui/message.tsx';
import { page } from '../../src/web/ui/page.ts';
import { STYLE } from '../../src/web/ui/style.ts';

const SCRIPT = `<script type="module" src="${PASSKEY_SCRIPT.path}"></script>`;
const shown = (props: Partial<SignInProps> = {}) => SignIn({ returnTo: '/graphql', ...props }).toString();
const count = (text: string, part: RegExp) => (text.match(part) ?? []).length;

describe('the sign-in screen', () => {
  it('has a language, a title, one main landmark and one heading of the first level', () => {
    const text = shown();
    expect(text).toContain('<html lang="en">');
    expect(text).toContain('<title>Sign in – Docgraph</title>');
    expect([count(text, /<main\b/g), count(text, /<h1>/g)]).toEqual([1, 1]);
    expect(count(shown({ viewer: { name: 'A', email: 'a', formToken: 't' } }), /<h1>/g)).toBe(1);
  });

  it.each([
    'email',
    'password',
  ])('has a label for %s, and the autocomplete token of password managers', (name) => {
    const text = shown();
    const [input = ''] = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(text) ?? [];
    expect(text).toContain(`<label for="${name}">`);
    expect(input).toContain(`id="${name}"`);
    expect(input).toMatch(/autocomplete="(username|current-password)"/);
    expect(input).not.toContain('aria-invalid');
  });

  it('associates each error with its field, and links to it from a summary that has the focus', () => {
    const text = shown({ errors: { form: 'There is a problem', password: 'Enter your password.' } });
    expect(text).toMatch(/<div class="note alarm" role="alert" tabindex="-1" autofocus=""/);
    expect(text).toContain('<a href="#password">Enter your password.</a>');
    expect(text).toMatch(
      /<input[^>]* name="password"[^>]* aria-describedby="password-error" aria-invalid="true"/,
    );
    expect(text).toContain('id="password-error"');
    expect(count(text, /aria-invalid="true"/g)).toBe(1);
    expect(count(text, /autofocus/g)).toBe(1);
  });

  it('never repeats a password', () => {
    expect(/<input[^>]* name="password"[^>]*>/.exec(shown({ email: 'a@b.c' }))?.[0]).not.toContain('value=');
  });

  it('allows its own scripts only, no inline scripts and no style attributes', () => {
    for (const text of [
      shown(),
      shown({ errors: { form: 'x' } }),
      Message({ title: 'a', text: 'b' }).toString(),
    ])
      expect(text.replace(SCRIPT, '')).not.toMatch(/<script|\sstyle=|\son\w+=|<link[^>]+href="(?!data:)/);
  });
});

describe('a page', () => {
  it('replaces and removes directives of the policy as a page requires', () => {
    const { headers } = page('x', { policy: { 'form-action': undefined, 'img-src': "'none'" } });
    const policy = headers.get('content-security-policy');
    expect(policy).not.toContain('form-action');
    expect(policy).toContain("img-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
  });
});

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const [, digits = ''] = /^#([\da-f]+)$/i.exec(hex) ?? [];
  const full = digits.length === 3 ? [...digits].map((each) => each + each).join('') : digits;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

describe.each([
  ['light', 0],
  ['dark', 1],
])('the %s colours', (_, index) => {
  const block = [...STYLE.matchAll(/:root \{([^}]*)\}/g)][index]?.[1] ?? '';
  const colours = Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#\w+)/g)].map((each) => [each[1], each[2]]),
  );
  it.each([
    ['ink', 'ground', 7],
    ['ink', 'paper', 7],
    ['ink', 'alarm-ground', 7],
    ['ink', 'calm-ground', 7],
    ['quiet', 'paper', 4.5],
    ['quiet', 'ground', 4.5],
    ['accent', 'paper', 4.5],
    ['accent', 'ground', 4.5],
    ['on-accent', 'accent', 4.5],
    ['on-accent', 'accent-strong', 4.5],
    ['alarm', 'paper', 4.5],
    ['alarm', 'alarm-ground', 4.5],
    ['edge', 'paper', 3],
    ['ring', 'paper', 3],
    ['ring', 'ground', 3],
  ])('have enough contrast for %s on %s', (front, back, least) => {
    expect(contrast(colours[front] as string, colours[back] as string)).toBeGreaterThan(least);
  });
});

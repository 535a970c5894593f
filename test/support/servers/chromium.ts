/** The program of the tests in a real browser; it need not exist. */
export const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

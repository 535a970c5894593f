/** The drawing of the logo, 24 by 24, in the current colour. */
export const MARK =
  '<path d="M6 5.5 17.5 9M6 5.5 9 18.5M17.5 9 9 18.5" stroke="currentColor" stroke-width="1.75"/><circle cx="6" cy="5.5" r="3.25"/><circle cx="17.5" cy="9" r="3.25"/><circle cx="9" cy="18.5" r="3.25"/>';

/** The icon of the site. */
export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#2c9b78" color="#2c9b78">${MARK}</svg>`;

/**
 * A child of an element. Strings become text nodes and are never parsed as HTML.
 *
 * @typedef {string | number | Node | false | null | undefined} Child
 */

/**
 * Attributes by name; functions listen to the event of that name, what is false or undefined is left out.
 *
 * @typedef {Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>} Attributes
 */

/**
 * Makes an HTML element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes] Addresses lead to places of this page alone: `#…`.
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag)
  fill(made, attributes, children)
  return made
}

/**
 * Makes an element of a picture.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export const shape = (tag, attributes = {}, ...children) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag)
  fill(made, attributes, children)
  return made
}

/**
 * @param {Element} made
 * @param {Attributes} attributes
 * @param {readonly Child[]} children
 */
const fill = (made, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') made.addEventListener(name, value)
    else if (name === 'href' && !String(value).startsWith('#'))
      throw new TypeError('Links lead to places of this page.')
    else made.setAttribute(name, value === true ? '' : String(value))
  }
  for (const child of children) {
    if (child !== false && child !== null && child !== undefined)
      made.append(child instanceof Node ? child : `${child}`)
  }
}

/**
 * A text that others wrote: it reads in its own direction, and breaks where it must.
 *
 * @param {string | number} text
 * @param {string} [className]
 */
export const given = (text, className = '') => element('bdi', { class: `given ${className}`.trim() }, text)

/**
 * A DID or another long identifier, short to look at and whole to copy.
 *
 * @param {string} id
 * @param {string} short
 */
export const identifier = (id, short) => element('bdi', { class: 'given id', title: id }, short)

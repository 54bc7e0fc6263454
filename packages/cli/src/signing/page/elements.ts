/** What can stand in an element; texts stay texts, whatever is in them. */
export type Child = string | number | Node | false | undefined

/** Attributes by name; functions listen to the event of that name, what is false or undefined is left out. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>

/** Makes an HTML element. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') made.addEventListener(name, value)
    else made.setAttribute(name, value === true ? '' : String(value))
  }
  made.append(...children.filter(child => child !== undefined && child !== false).map(asNode))
  return made
}

const asNode = (child: string | number | Node): Node | string => (child instanceof Node ? child : String(child))

/** Returns a text that others wrote, or an identifier: it reads in its own direction, and breaks where it must. */
export const given = (text: string, className = ''): HTMLElement =>
  element('bdi', { class: `given ${className}`.trim() }, text)

/** Says what is wrong, so that it is heard at once. */
export const fault = (...words: readonly Child[]): HTMLElement =>
  element('p', { class: 'fault', role: 'alert' }, ...words)

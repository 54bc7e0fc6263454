/** Content of an element; strings are inserted as text, never as HTML. */
export type Child = string | number | Node | false | undefined

/** Attributes by name; functions are event listeners, false and undefined are omitted. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>

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

/** Returns text from outside, or an identifier, in an isolated direction, with line breaks where necessary. */
export const given = (text: string, className = ''): HTMLElement =>
  element('bdi', { class: `given ${className}`.trim() }, text)

/** Returns an error message that screen readers announce at once. */
export const violation = (...words: readonly Child[]): HTMLElement =>
  element('p', { class: 'fault', role: 'alert' }, ...words)

/** Attributes of a field for words and digits, which a keyboard must not change. */
export const typed = { required: true, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' } as const

export const paragraph = (...children: readonly Child[]): HTMLElement => element('p', {}, ...children)

export const quiet = (...children: readonly Child[]): HTMLElement => element('p', { class: 'quiet' }, ...children)

export const actions = (...children: readonly Child[]): HTMLElement => element('p', { class: 'actions' }, ...children)

/** @param style Its class: `plain` for a secondary action. */
export const button = (text: string, click: () => void, style = ''): HTMLElement =>
  element('button', { type: 'button', class: style, click }, text)

export const submitButton = (text: string): HTMLButtonElement => element('button', { type: 'submit' }, text)

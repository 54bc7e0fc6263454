import { ApiError } from './api.js'
import { element } from './elements.js'
/** @import { Child } from './elements.js' */

/**
 * Says that something is on its way.
 *
 * @param {string} what
 */
export const loading = what => element('p', { class: 'quiet' }, `${what}…`)

/**
 * Says that there is nothing, and how there would be something.
 *
 * @param {string} title
 * @param {...Child} hint
 */
export const empty = (title, ...hint) =>
  element('div', { class: 'empty' }, element('p', { class: 'strong' }, title), element('p', {}, ...hint))

/**
 * Says what went wrong, and how to go on.
 *
 * @param {unknown} error
 * @param {() => void} [again] Retries.
 */
export const failed = (error, again) => {
  const words = error instanceof ApiError ? error.message : `The explorer itself failed: ${String(error)}`
  const issues = error instanceof ApiError ? error.issues : []
  const mayPass = !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500
  return element(
    'div',
    { class: 'failed', role: 'alert' },
    element('p', { class: 'strong' }, words),
    issues.length > 0 &&
      element('ul', {}, ...issues.map(({ path, message }) => element('li', {}, `${path || 'the whole'}: ${message}`))),
    again && mayPass && element('p', {}, element('button', { type: 'button', click: again }, 'Try again')),
  )
}

/**
 * A part of the page that shows a loading state, then the result or the error.
 *
 * @template Value
 * @param {string} what
 * @param {() => Promise<Value>} read
 * @param {(value: Value) => Child | Child[]} show
 * @param {AbortSignal} signal Aborts when the reader goes elsewhere.
 * @param {string} [title] The heading of the page, where this part would have brought it.
 */
export const filled = (what, read, show, signal, title) => {
  const place = element('div', { class: 'filled' })
  const fill = async () => {
    place.replaceChildren(loading(what))
    place.setAttribute('aria-busy', 'true')
    try {
      const shown = [show(await read())]
        .flat()
        .filter(child => child !== false && child !== null && child !== undefined)
      if (!signal.aborted) place.replaceChildren(...shown.map(child => (child instanceof Node ? child : `${child}`)))
    } catch (error) {
      if (signal.aborted) return
      place.replaceChildren(failed(error, () => void fill()))
      if (title !== undefined) place.prepend(element('h1', { tabindex: -1 }, title))
    }
    place.removeAttribute('aria-busy')
    place.dispatchEvent(new Event('filled', { bubbles: true }))
  }
  void fill()
  return place
}

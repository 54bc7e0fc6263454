import { ApiError, createApi } from './api.js'
import { claimList } from './claim-list.js'
import { claimPage } from './claim-page.js'
import { element } from './elements.js'
import { entityList } from './entity-list.js'
import { entityPage } from './entity-page.js'
import { claimsHash, entitiesHash, readPlace } from './hash-route.js'
import { keptKey } from './kept-key.js'
import { keyForm } from './key-form.js'
import { empty } from './states.js'

/** @import { Api } from './api.js' */
/** @import { Place } from './hash-route.js' */

const main = /** @type {HTMLElement} */ (document.getElementById('main'))
const places = /** @type {HTMLElement} */ (document.getElementById('places'))
const spoken = /** @type {HTMLElement} */ (document.getElementById('spoken'))
const base = new URL('.', location.href).href
const title = document.title
const kept = keptKey(() => sessionStorage)

/** Creates the signals of the places: each one aborts when the next place is shown. */
const placeSignals = () => {
  let controller = new AbortController()
  return {
    abort: () => controller.abort(),
    next: () => {
      controller.abort()
      controller = new AbortController()
      return controller.signal
    },
  }
}

const signals = placeSignals()

/** Announces a text to screen readers, and moves the focus to the page until the new content is shown. @param {string} words */
const say = words => {
  spoken.textContent = words
  main.focus({ preventScroll: true })
}

/** Shows the place that the address names; the focus follows, as it does on a new page. @param {boolean} isFirst */
const show = isFirst => {
  const signal = signals.next()
  const key = kept.read()
  places.hidden = key === ''
  if (key === '') return fill(keyForm({ use: open }), isFirst)
  const place = readPlace(location.hash)
  showPlaces(place)
  const api = guarded(createApi({ base, key }), signal)
  fill(viewOf(place, api, signal), isFirst)
}

/**
 * @param {Place} place
 * @param {Api} api
 * @param {AbortSignal} signal
 */
const viewOf = (place, api, signal) => {
  if (place.view === 'entities') return entityList(api, place.query, signal)
  if (place.view === 'entity') return entityPage(api, place.did, signal)
  if (place.view === 'claims') return claimList(api, place, signal)
  if (place.view === 'claim') return claimPage(api, place.id, signal, say)
  const all = element('a', { href: entitiesHash() }, 'all entities')
  return [element('h1', { tabindex: -1 }, 'Nothing is here'), empty('The address leads nowhere.', 'Go to ', all, '.')]
}

/**
 * @param {readonly HTMLElement[]} content
 * @param {boolean} isFirst
 */
const fill = (content, isFirst) => {
  main.replaceChildren(...content)
  namePage()
  if (isFirst) return
  scrollTo(0, 0)
  const heading = main.querySelector('h1') ?? main
  heading.focus({ preventScroll: true })
}

const namePage = () => {
  const heading = main.querySelector('h1')
  document.title = heading ? `${heading.textContent} · ${title}` : title
  if (document.activeElement === main) heading?.focus({ preventScroll: true })
}

/** @param {Place} place */
const showPlaces = ({ view }) => {
  const forget = element('button', { type: 'button', class: 'plain small' }, 'Forget the key')
  forget.addEventListener('click', () => {
    kept.forget()
    show(false)
  })
  /** @param {boolean} isHere */
  const here = isHere => (isHere ? { 'aria-current': 'page' } : {})
  places.replaceChildren(
    element('a', { href: entitiesHash(), ...here(view.startsWith('entit')) }, 'Entities'),
    element('a', { href: claimsHash(), ...here(view.startsWith('claim')) }, 'Claims'),
    forget,
  )
}

/** Tries a key before it is kept. @param {string} key */
const open = async key => {
  await createApi({ base, key }).get('v1/entities?limit=1').catch(explain)
  kept.keep(key)
  show(false)
}

/** @param {unknown} error */
const explain = error => {
  if (error instanceof ApiError && error.status === 401) {
    throw new ApiError('This oracle does not know that key. Check that all of it was copied.', { status: 401 })
  }
  throw error
}

/** Shows the key form when the oracle no longer accepts the key. @param {Api} api @param {AbortSignal} signal @returns {Api} */
const guarded = (api, signal) => {
  /** @param {unknown} error @returns {never} */
  const look = error => {
    if (error instanceof ApiError && error.status === 401 && !signal.aborted) {
      kept.forget()
      signals.abort()
      places.hidden = true
      fill(keyForm({ fault: 'The key is good no more. Type the new one.', use: open }), false)
    }
    throw error
  }
  return {
    get: (path, options) => api.get(path, options).catch(look),
    post: (path, body) => api.post(path, body).catch(look),
  }
}

main.addEventListener('filled', namePage)
addEventListener('hashchange', () => show(false))
show(true)

import { ApiError } from './api.js'
import { element } from './elements.js'
import { failed } from './states.js'

/**
 * Asks for the API key.
 *
 * @param {object} parts
 * @param {string} [parts.fault] Reason why the previous key was rejected.
 * @param {(key: string) => Promise<void>} parts.use Uses the key; throws if the oracle rejects it.
 * @returns {HTMLElement[]}
 */
export const keyForm = ({ fault, use }) => {
  const said = element('div')
  if (fault !== undefined) said.append(failed(new ApiError(fault)))
  const key = element('input', {
    id: 'key',
    type: 'password',
    required: true,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    maxlength: 4000,
  })
  const button = element('button', { type: 'submit' }, 'Open')
  const form = element('form', { class: 'key' }, element('label', { for: 'key' }, 'API key'), key, button)
  form.addEventListener('submit', async event => {
    event.preventDefault()
    button.disabled = true
    try {
      await use(key.value.trim())
    } catch (error) {
      said.replaceChildren(failed(error))
      key.select()
    } finally {
      button.disabled = false
    }
  })
  return [
    element('h1', { tabindex: -1 }, 'Open the explorer'),
    element('p', {}, 'It shows the entities and claims that an API key of this oracle may read.'),
    form,
    said,
    element(
      'p',
      { class: 'quiet' },
      'A devnet shows its key at its first start, and keeps it in ',
      element('code', {}, 'devnet.json'),
      '. Other oracles list theirs in ',
      element('code', {}, 'ENTITIES_API_KEYS'),
      '. The key stays in this tab, and goes to this oracle alone.',
    ),
  ]
}

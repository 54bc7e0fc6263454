import type { Random } from '../frame/random.ts'
import { type ProviderForm, providerForms } from '../ussd-strangers/provider-forms.ts'
import { neverCode, neverJson, neverPhone, neverSession, neverString, neverText, oddTexts } from './hostile-values.ts'

/** A request that is sent to an oracle. */
export interface FuzzedRequest {
  readonly name: string
  readonly method: string
  /** Below `/api/ussd`. */
  readonly path: string
  readonly contentType: string
  readonly body: string
  /** Whether the specification refuses it; undefined where it may be either. */
  readonly invalid: boolean | undefined
}

/** The session that is watched: bodies that are not valid ask for it, so that it moves where one is taken. */
const watched = { sessionId: 'walk-2', serviceCode: '*1234#', phoneNumber: '+260970000002', text: '2*2*Phone 2' }

/** Makes the next request. */
export const makeBody = (random: Random): FuzzedRequest => {
  const makers = [
    spoiltField,
    spoiltField,
    spoiltField,
    otherBytes,
    missingField,
    providerField,
    providerBytes,
    oddText,
  ]
  return random.pick(makers)(random)
}

const json = 'application/json'

const plain = (name: string, body: string, invalid: boolean): FuzzedRequest => ({
  ...{ name, method: 'POST', path: '', contentType: json },
  body,
  invalid,
})

/** One field of the specification's own form is what it may not be; the others ask for the watched session. */
const spoiltField = (random: Random): FuzzedRequest => {
  const field = random.pick(['sessionId', 'serviceCode', 'phoneNumber', 'text'] as const)
  const own = { sessionId: neverSession, serviceCode: neverCode, phoneNumber: neverPhone, text: [] }[field]
  const values = [
    () => random.pick(neverString),
    () => random.pick(neverText)(random, watched[field]),
    ...(own.length > 0 ? [() => random.pick(own)] : [() => '2'.repeat(random.integer(183, 400))]),
  ]
  const value = random.pick(values)()
  return plain(`${field} spoilt`, JSON.stringify({ ...watched, [field]: value }), true)
}

/** A field is not there, or stands under another name. */
const missingField = (random: Random): FuzzedRequest => {
  const field = random.pick(Object.keys(watched) as (keyof typeof watched)[])
  const { [field]: value, ...rest } = watched
  const others = ['', 'SessionId', `${field} `, field.toUpperCase(), '__proto__', 'toString']
  const name = random.pick(others)
  const body = JSON.stringify(rest)
  const more = name === '' ? body : `${body.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`
  return plain('a field missing', more, true)
}

/**
 * Creates bytes that are not a JSON object: arbitrary ones, or a valid body that was truncated or has an invalid
 * character.
 */
const otherBytes = (random: Random): FuzzedRequest => {
  const body = JSON.stringify(watched)
  const cut = body.slice(0, random.integer(0, body.length - 1))
  const at = random.integer(0, body.length - 2)
  const broken = `${body.slice(0, at)}${random.pick(['\u0000', '\u0001', '\n\u0000'])}${body.slice(at)}`
  return plain('no JSON object', random.pick([random.pick(neverJson), cut, broken]), true)
}

/** Creates a valid request with unexpected text, in a separate session. */
const oddText = (random: Random): FuzzedRequest => {
  const texts = Array.from({ length: random.integer(1, 3) }, () => random.pick([...oddTexts, '1', '2', '0']))
  const text = [...texts.join('*')].slice(0, 182).join('')
  const own = {
    sessionId: `odd-${random.integer(1, 400)}`,
    phoneNumber: `+26095${random.integer(1_000_000, 9_999_999)}`,
  }
  return plain('odd words', JSON.stringify({ ...own, serviceCode: '*1234#', text }), false)
}

const content = { sessionId: 'odd', serviceCode: '*1234#', phoneNumber: '+260970000002', text: '1', begins: false }

const providers = providerForms.filter(({ name }) => name !== 'plain')

const inForm = (
  form: ProviderForm,
  name: string,
  given: typeof content,
  invalid: boolean | undefined,
): FuzzedRequest => ({
  ...{ name: `${form.name} ${name}`, method: 'POST', contentType: json, invalid },
  ...form.make(given),
})

/** One thing that a provider says is what it may not be. */
const providerField = (random: Random): FuzzedRequest => {
  const form = random.pick(providers)
  const isPath = form.name === 'infobip'
  const spoilt = random.pick([
    { phoneNumber: random.pick(['', '+', 'abc', '+0971234567', '0'.repeat(20), '+260\u0000', '\u0661234567']) },
    { text: random.pick(neverText.slice(0, 8))(random, '1') as string },
    { text: random.pick(neverText.slice(8, 10))(random, '1') as string },
    ...(isPath ? [] : [{ sessionId: random.pick(neverSession) }]),
  ])
  const unreadText = 'text' in spoilt && ['africas-talking'].includes(form.name)
  const begins = !('text' in spoilt) && random.integer(0, 1) === 1
  const wellFormed = Object.values(spoilt).every(value => form.name !== 'hollatags' || encodes(value))
  return inForm(form, 'a field spoilt', { ...content, ...spoilt, begins }, unreadText || !wellFormed ? undefined : true)
}

/** Whether a text is the same after it went through a URL. */
const encodes = (text: string): boolean => text.isWellFormed()

/** Creates a provider's request with an arbitrary value anywhere, or invalid bytes. */
const providerBytes = (random: Random): FuzzedRequest => {
  const form = random.pick(providers)
  const request = inForm(form, 'any bytes', { ...content, sessionId: `odd-${random.integer(1, 400)}` }, undefined)
  if (request.method === 'GET')
    return { ...request, path: `${request.path}&${random.pick(['session_id=2', '%ff=%ff', '&&='])}` }
  if (request.contentType !== json || random.integer(0, 2) === 0) return { ...request, body: random.pick(neverJson) }
  const fields = JSON.parse(request.body) as Record<string, unknown>
  for (let times = random.integer(1, 3); times > 0; times -= 1) {
    const name = random.pick([...Object.keys(fields), '__proto__', 'length', 'payload', 'Sequence'])
    const value = random.pick([...neverString, ...oddTexts, random.pick(neverText)(random, '1')])
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return { ...request, body: JSON.stringify(fields) }
}

import type { Attempt, AttemptParts } from './attempt.ts'

const note = { operator: 'Somebody', reason: 'Because' }
const anyId = '0b0f6a0e-6f6c-4a5e-9a39-3f1d1f1f7a55'

/** A request for one of the operator's routes with no token, or another one than the right one, from an address of its own. */
export const operatorAttempt = ({ victim, token, random }: AttemptParts): Omit<Attempt, 'kind'> => {
  const { sessionId, phoneNumber, customerId = '123456782' } = victim.phone
  const base = '/api/ussd/customers'
  const [method, path, body] = random.pick<readonly [string, string, object?]>([
    ['GET', `/api/ussd/debug/${sessionId}`],
    ['GET', `/api/ussd/debug/${encodeURIComponent(sessionId)}?sessionId=${sessionId}`],
    ['GET', `/api/ussd/%64ebug/${sessionId}`],
    ['GET', `/api//ussd/debug/${sessionId}`],
    ['GET', `/api/ussd/./debug/${sessionId}/`],
    ['GET', `/API/USSD/debug/${sessionId}`],
    ['GET', '/api/ussd/sessions'],
    ['GET', '/api/ussd/keys'],
    ['GET', `${base}/actions`],
    ['POST', `${base}/exports`, { phoneNumber, ...note }],
    ['POST', `${base}/resets`, { customerId, ...note }],
    ['POST', `${base}/resets`, { phoneNumber, ...note }],
    ['POST', `${base}/unlocks`, { customerId, ...note }],
    ['POST', `${base}/erasures`, { phoneNumber, ...note }],
    ['POST', `${base}/resets/${anyId}/confirm`, { confirmation: 'tilomera', operator: 'Somebody' }],
    ['POST', `${base}/erasures/${anyId}/confirm`, { confirmation: 'tilomera', operator: 'Somebody' }],
  ])
  const authorization = random.pick([
    '',
    '',
    'Bearer',
    'Bearer undefined',
    'Bearer null',
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token}0`,
    `Bearer ${token.toUpperCase()}x`,
    `Bearer ${token} ${token}`,
    `Basic ${Buffer.from(`operator:${token}`).toString('base64')}`,
    token,
    `Bearer ${[...token].reverse().join('')}`,
    `Bearer ${'a'.repeat(2_000)}`,
  ])
  const from = Array.from({ length: 4 }, () => random.integer(1, 254)).join('.')
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': from,
    ...(authorization === '' ? {} : { authorization }),
  }
  return { method, path, headers, body: body === undefined ? '' : JSON.stringify(body), locked: true }
}

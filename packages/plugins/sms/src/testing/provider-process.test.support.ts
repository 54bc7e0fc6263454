// Plays Africa's Talking, Infobip and Kannel's smsbox on loopback, by the formats that they document: says its URL, and stays.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What it does with the next requests, one each; then it works. */
interface Control {
  /**
   * `429` and `503` with `Retry-After: 2`; `500`; `400`; `401`; `silent`: takes it and never answers; `reset`: takes it and
   * breaks off; `hold`: takes it, and answers once it is told to; `redirect`; `garbage`; `blacklist`; `report-first`: calls
   * back before it answers.
   */
  readonly modes?: readonly string[]
  /** Answers what is held. */
  readonly release?: true
  /** Where its reports go. */
  readonly callback?: string
  /** Calls back. */
  readonly report?: { readonly path: string; readonly contentType: string; readonly body: string }
}

interface Taken {
  readonly path: string
  readonly id: string
  readonly to: string
  readonly text: string
  readonly from: string
  readonly key: string
}

const taken: Taken[] = []
const requests: { path: string; status: number | string }[] = []
const modes: string[] = []
const held: (() => void)[] = []
let callback = ''
let count = 0

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const callBack = (path: string, contentType: string, body: string) =>
  fetch(callback + path, { method: 'POST', headers: { 'content-type': contentType }, body }).then(
    ({ status }) => status,
  )

/** Does what a mode says of a request that is not to be taken; false where it is. */
const refuses = (response: ServerResponse, mode: string): boolean => {
  if (mode === '429' || mode === '503') json(response, Number(mode), { error: 'slow down' }, { 'retry-after': '2' })
  else if (mode === '401' || mode === '400') json(response, Number(mode), { error: 'no' })
  else if (mode === 'redirect') response.writeHead(307, { location: '/elsewhere' }).end()
  else return false
  return true
}

const answer = async (response: ServerResponse, mode: string, body: unknown, status: number) => {
  if (mode === '500') json(response, 500, { error: 'oops' })
  else if (mode === 'garbage') response.writeHead(200, { 'content-type': 'application/json' }).end('{"SMSMessageData":')
  else if (mode === 'reset') response.destroy()
  else if (mode === 'hold') {
    await new Promise<void>(resume => held.push(resume))
    json(response, status, body)
  } else if (mode !== 'silent') json(response, status, body)
}

const africasTalking = async (request: IncomingMessage, response: ServerResponse, mode: string) => {
  const form = new URLSearchParams(await bodyOf(request))
  if (request.headers.apikey !== 'at-key-0123456789')
    return json(response, 401, 'The supplied authentication is invalid')
  const id = `ATXid_${++count}`
  const number = form.get('to') ?? ''
  const isListed = mode === 'blacklist'
  if (!isListed)
    taken.push({
      path: request.url ?? '',
      id,
      to: number,
      text: form.get('message') ?? '',
      from: form.get('from') ?? '',
      key: form.get('username') ?? '',
    })
  if (mode === 'report-first') {
    const report = new URLSearchParams({ id, status: 'Success', phoneNumber: number, networkCode: '64501' })
    await callBack(
      '/sms/reports/africastalking?secret=0123456789abcdef',
      'application/x-www-form-urlencoded',
      `${report}`,
    )
  }
  const recipient = isListed
    ? { statusCode: 406, number, status: 'UserInBlacklist', cost: '0', messageId: 'None' }
    : { statusCode: 101, number, status: 'Success', cost: 'KES 0.8000', messageId: id }
  await answer(
    response,
    mode,
    { SMSMessageData: { Message: 'Sent to 1/1 Total Cost: KES 0.8000', Recipients: [recipient] } },
    201,
  )
}

const infobip = async (request: IncomingMessage, response: ServerResponse, mode: string) => {
  const body = await bodyOf(request)
  if (request.headers.authorization !== 'App ib-key-0123456789') return json(response, 401, { requestError: {} })
  const { messages } = JSON.parse(body) as {
    messages: [{ sender: string; destinations: [{ to: string; messageId: string }]; content: { text: string } }]
  }
  const [{ sender, destinations, content }] = messages
  const [{ to, messageId }] = destinations
  const isKnown = taken.some(({ id }) => id === messageId)
  if (!isKnown) taken.push({ path: request.url ?? '', id: messageId, to, text: content.text, from: sender, key: '' })
  const status = isKnown
    ? { groupId: 5, groupName: 'REJECTED', id: 23, name: 'REJECTED_DUPLICATE_MESSAGE_ID' }
    : { groupId: 1, groupName: 'PENDING', id: 26, name: 'PENDING_ACCEPTED' }
  await answer(response, mode, { bulkId: 'bulk', messages: [{ messageId, status, destination: to }] }, 200)
}

/** As smsbox 1.4.5 answers. */
const kannel = async (request: IncomingMessage, response: ServerResponse, mode: string) => {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams
  const plain = (status: number, text: string) => response.writeHead(status, { 'content-type': 'text/html' }).end(text)
  if (query.get('password') !== 'kannel-password') return plain(403, 'Authorization failed for sendsms')
  if (mode === 'no-carrier') return plain(503, 'Temporal failure, try again later.')
  const [to = '', text = '', from = ''] = ['to', 'text', 'from'].map(name => query.get(name) ?? '')
  taken.push({ path: query.get('dlr-url') ?? '', id: String(++count), to, text, from, key: query.get('coding') ?? '' })
  if (mode === 'ok') return plain(202, count % 2 === 0 ? '3: Queued for later delivery' : '0: Accepted for delivery')
  await answer(response, mode, {}, 202)
}

const log = (request: IncomingMessage, response: ServerResponse) => {
  const id = new URL(request.url ?? '/', 'http://localhost').searchParams.get('messageId')
  const found = taken.filter(message => message.id === id)
  json(response, 200, {
    results: found.map(({ to }) => ({
      messageId: id,
      to,
      status: { groupId: 3, groupName: 'DELIVERED', id: 5, name: 'DELIVERED_TO_HANDSET' },
      price: { pricePerMessage: 0.01, currency: 'EUR' },
      messageCount: 2,
    })),
  })
}

const control = async (request: IncomingMessage, response: ServerResponse) => {
  const reported = JSON.parse(await bodyOf(request)) as Control
  modes.push(...(reported.modes ?? []))
  if (reported.callback !== undefined) callback = reported.callback
  if (reported.release) for (const resume of held.splice(0)) resume()
  const status =
    reported.report && (await callBack(reported.report.path, reported.report.contentType, reported.report.body))
  json(response, 200, { status })
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/seen') return json(response, 200, { taken, requests })
  if (pathname === '/control') return control(request, response)
  if (pathname === '/sms/3/logs') return log(request, response)
  const mode = modes.shift() ?? 'ok'
  requests.push({ path: pathname, status: mode })
  if (refuses(response, mode)) return
  if (pathname === '/version1/messaging') return africasTalking(request, response, mode)
  if (pathname === '/sms/3/messages') return infobip(request, response, mode)
  if (pathname === '/cgi-bin/sendsms') return kannel(request, response, mode)
  json(response, 404, {})
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

// Signs in by phone as a victim of a stranger's link would, and registers applications that deceive.
import { bundledAdapters } from '@sibyl/bundle'
import { json, TestClient } from '@sibyl/bundle/testing'
import { testApp } from '@sibyl/testing'
import { reportTrial } from '../frame/report-trial.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const { app, actor } = await testApp({ plugins: [], adapters: bundledAdapters() })
announceOracle('in process', app.identity.did)
const send = async (path: string, init?: RequestInit) => app.request(path, init)
const atConsole = { redirect_uri: 'http://localhost:3000/console' }
const everything = ['*', 'api-key/create', 'session/read']

/** Begins a sign-in by phone at a stranger's screen. */
const begun = async () => {
  const client = new TestClient(send, 'sibyl-console')
  const { path, cookie } = await client.begin({ ...atConsole, scope: everything.join(' ') })
  const response = await send(`${path}/phone`, json({ scopes: everything, days: 90 }, { cookie }))
  const { url, number } = (await response.json()) as { url: string; number: string }
  const sign = async (body: object): Promise<number> => {
    const authorization = `Bearer ${await actor.token(['auth/token', ...everything])}`
    return (await send(new URL(url).pathname, json(body, { authorization }))).status
  }
  const scopes = async (): Promise<readonly string[]> => {
    const back = await client.return(await send(`${path}/phone/next`, json({}, { cookie })), cookie)
    const tokens = await (await client.exchange(back.searchParams.get('code') ?? '', atConsole)).json()
    const me = await send('/me', { headers: { authorization: `Bearer ${tokens.access_token}` } })
    return ((await me.json()) as { scopes: string[] }).scopes
  }
  return { number, sign, scopes, page: async () => (await send(new URL(url).pathname)).text() }
}

const byClick: string[] = []
const guess = (number: string, step: number) => String((Number(number) + step) % 10_000).padStart(4, '0')
for (const numberOf of [
  () => undefined,
  () => '',
  (number: string) => guess(number, 1),
  (number: string) => ` ${number}`,
]) {
  const { number, sign, page } = await begun()
  const given = numberOf(number)
  if ((await sign({ ...(given === undefined ? {} : { number: given }), scopes: everything })) < 400) {
    byClick.push(`the number ${JSON.stringify(given)}`)
  }
  if ((await page()).includes(number)) byClick.push('the number on the page of the phone')
}
const guessed = await begun()
for (let step = 1; step <= 3; step += 1) await guessed.sign({ number: guess(guessed.number, step), scopes: everything })
if ((await guessed.sign({ number: guessed.number, scopes: everything })) < 400) byClick.push('after three guesses')

const phone = await begun()
await phone.sign({ number: phone.number, scopes: everything })
const granted = (await phone.scopes()).filter(scope => scope !== 'session/read')

const forgedUris = [
  'http://evil.example/callback',
  'javascript:alert(1)',
  'data:text/html,hi',
  'intent://client.example/callback',
  'pocket://callback',
  'https://localhost/callback',
  'https://user:secret@client.example/',
  'https://client.example/#fragment',
]
const registered: string[] = []
for (const uri of forgedUris) {
  const response = await send('/oauth/register', json({ client_name: 'Pocket', redirect_uris: [uri] }))
  if (response.status < 400) registered.push(uri)
}

const deceiving: string[] = []
const name = 'Bank of Lusaka'
const uris = [
  `https://evil.example/${'long/'.repeat(60)}callback`,
  'com.evil.app:/callback',
  'http://127.0.0.1:7777/callback',
]
for (const redirect_uri of uris) {
  const client = await TestClient.register(send, { client_name: name, redirect_uris: [redirect_uri] })
  const { path, cookie } = await client.begin({ redirect_uri })
  const response = await send(`${path}/phone`, json({ scopes: ['session/*'], days: 1 }, { cookie }))
  const { url } = (await response.json()) as { url: string }
  for (const page of [path, new URL(url).pathname]) {
    const html = await (await send(page, { headers: { cookie } })).text()
    const heading = /<h1>(.*?)<\/h1>/s.exec(html)?.[1] ?? name
    if (heading.includes(name) || !html.includes(`${name}</bdi> <span class="quiet">(not verified)`))
      deceiving.push(`the name at ${page}`)
    if (!html.includes(`<code>${redirect_uri}</code>`)) deceiving.push(`no address at ${page}`)
  }
}

reportTrial({
  tried: { 'redirect URIs': forgedUris.length, 'pages of applications': 2 * uris.length },
  violations: {
    'rights by a click on a link': byClick,
    'scopes that a phone never grants': granted.filter(scope => ['*', 'api-key/create', 'me/erase'].includes(scope)),
    'redirect URIs that belong to no one': registered,
    'applications that are shown by their own name': deceiving,
  },
})

import { randomBytes, randomInt } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMnemonic } from '@sibyl/identity'
import { createSigningKey, testActor } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { allSecrets, everythingOn, serversOf, temporaryFolder } from './all-plugins.test.support.ts'
import { bundledPlugins } from './bundled-plugins.ts'
import { startOracle } from './oracle-process.test.support.ts'

const plugins = bundledPlugins()

/** How a secret may be written: as it is, in a URL, in base64 at any alignment, in hexadecimal. */
const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  const within = [0, 1, 2].map(before => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  return [secret, encodeURIComponent(secret), ...within, bytes.toString('hex'), bytes.toString('base64url')]
}

/** A server that answers all that it is asked with an error in which everything that it was sent stands, in all forms. */
const startTelltale = async () => {
  const reported: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    reported.push(...request.rawHeaders)
    const heard = [...request.rawHeaders, ...request.rawHeaders.map(it => it.replace(/^\w+ /, '')), body]
    response.writeHead(500, {
      'content-type': 'application/json',
      'x-heard': encodeURIComponent(heard.join(' ')).slice(0, 4_000),
    })
    response.end(JSON.stringify({ error: { message: heard.flatMap(formsOf).join(' ') }, errcode: heard.join(' ') }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, told: reported }
}

const canary = () => `${randomBytes(24).toString('base64url')}.~${randomBytes(6).toString('base64url')}`

/**
 * Where a form of a secret stands. A short number counts where it stands by itself: times, lengths and ids have six digits
 * of any kind in them by chance.
 */
const placeOf = (form: string, text: string): number => {
  if (!/^\d{1,8}$/.test(form)) return text.indexOf(form)
  const opened = text.replace(/%[\da-f]{2}|\\u[\da-f]{4}|\\./gi, it => ' '.repeat(it.length))
  return opened.search(new RegExp(`(?<![\\w-]|\\d\\.)${form}(?![\\w-])`))
}

/** What each place of the oracle has said. */
class Heard {
  readonly places = new Map<string, string>()
  add(place: string, text: string): void {
    this.places.set(place, `${this.places.get(place) ?? ''}\n${text}`)
  }

  /** Where a secret stands, with what is around it. */
  find(secrets: Readonly<Record<string, string>>, places = [...this.places.keys()]): string[] {
    return Object.entries(secrets).flatMap(([name, secret]) =>
      places.flatMap(place => {
        const text = this.places.get(place) ?? ''
        return formsOf(secret).flatMap(form => {
          const at = form.length < 5 ? -1 : placeOf(form, text)
          return at < 0 ? [] : [`${name} in ${place}: …${text.slice(Math.max(0, at - 80), at)}<HERE>`]
        })
      }),
    )
  }
}

/** For a machine that does much else, in milliseconds. */
const limit = 120_000

test(
  'no secret of core or of any plugin is in what an oracle says, at trace, whatever fails',
  async () => {
    const folder = temporaryFolder()
    const telltale = await startTelltale()
    const made: Record<string, string> = {}
    const secrets = allSecrets(name => {
      made[name] = canary()
      return made[name]
    })
    const mnemonic = createMnemonic(12).reveal()
    const key = createSigningKey()
    const phone = `26097${randomInt(1_000_000, 9_999_999)}`
    const pin = `0${randomInt(10_000, 99_999)}`
    const never = { ...made, mnemonic, threeWords: mnemonic.split(' ').slice(4, 7).join(' ') }
    const env = {
      ...everythingOn(folder, {
        ...Object.fromEntries(serversOf(plugins).map(({ name }) => [name, telltale.url])),
        ...secrets,
        SMS_PROVIDER: 'infobip',
      }),
      ORACLE_MNEMONIC: mnemonic,
      ORACLE_CONTROLLERS: key.did,
      LLM_PROVIDER: 'offline',
      LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: telltale.url,
      RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_DID_PER_MINUTE: '0',
    }
    const heard = new Heard()
    const wrong = Object.fromEntries(
      Object.entries(secrets).map(([name, value]) => [name, `${value}\u00a0 with a space`]),
    )
    const broken = startOracle(temporaryFolder(), {
      ...env,
      ...wrong,
      PORT: 'many',
      DATABASE_URL: `mysql://u:${made.OPENAI_API_KEY}@x`,
    })
    const inspected = startOracle(temporaryFolder(), { ...env, SIBYL_INSPECT: '3' })
    const oracle = startOracle(folder, env)
    const url = await oracle.url()
    const { did } = await (await fetch(`${url}/.well-known/oracle.json`)).json()
    const request = async (path: string, init?: RequestInit) => {
      const answer = await fetch(url + path, { ...init, signal: AbortSignal.timeout(60_000) })
      const isEndless = answer.headers.get('content-type')?.startsWith('text/event-stream') && !path.startsWith('/chat')
      const text = isEndless ? '' : await answer.text()
      if (isEndless) await answer.body?.cancel()
      heard.add('answers', `${JSON.stringify([...answer.headers])}\n${text}`)
      return new Response(answer.status === 204 || answer.status === 304 ? null : text, answer)
    }
    const actor = testActor({ request, identity: { did } }, Date.now, key)

    const { paths } = await (await request('/openapi.json')).json()
    const body = JSON.stringify({ ...secrets, phoneNumber: phone, pin, message: { [made.OPENAI_API_KEY!]: mnemonic } })
    await Promise.all(
      Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
        Object.keys(methods).flatMap(name => {
          const method = name.toUpperCase()
          const place = path.replace(/\{[^}]+\}/g, 'x')
          const json = method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body }
          if (path === '/auth/token' || method === 'DELETE') return []
          const bearers = [made.ORACLE_OPERATOR_TOKEN, made.ENTITIES_API_KEYS, made.USSD_OPERATOR_TOKEN, 'wrong']
          const bearer = bearers[place.length % bearers.length]
          return [
            actor.request(place, { method, ...json }),
            request(place, { method, ...json, headers: { ...json.headers, authorization: `Bearer ${bearer}` } }),
          ]
        }),
      ),
    )

    const chats = plugins.flatMap(({ manifest }) => (manifest.examples ?? []).map(({ user }) => [user].flat()[0]!))
    const queue = chats.map((text, index) => ({
      id: `s${index}`,
      message: text.replace(/\{to\}/g, `+${phone}`).replace(/\{\w+\}/g, 'Berlin'),
    }))
    const talk = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const text = await (await actor.request('/chat', { json: next })).text()
        const approval = /"approvalId":"([^"]+)"/.exec(text)?.[1]
        if (approval) await actor.request(`/chat/${next.id}/approvals/${approval}`, { json: { decision: 'once' } })
      }
    }
    await Promise.all(Array.from({ length: 6 }, talk))

    const dialled = ['2', '2', 'Mutale', '1', pin, pin]
    for (let count = 0; count <= dialled.length; count += 1) {
      const ussd = {
        sessionId: 'call-1',
        serviceCode: '*1234#',
        phoneNumber: `+${phone}`,
        text: dialled.slice(0, count).join('*'),
      }
      await request('/api/ussd', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gateway-secret': made.USSD_GATEWAY_SECRET! },
        body: JSON.stringify(ussd),
      })
    }
    await request('/metrics', { headers: { authorization: `Bearer ${made.ORACLE_OPERATOR_TOKEN}` } })

    const { stdout, stderr } = await oracle.stop()
    heard.add('log', stdout)
    heard.add('standard error', stderr)
    const refused = await broken.ended
    heard.add('refused boot', refused.stdout + refused.stderr)
    const { inspection, ...rest } = await inspected.ended
    heard.add('inspection', inspection + rest.stdout + rest.stderr)
    expect(refused.code).toBe(3)
    const sent = Object.keys(made).filter(name => telltale.told.some(text => text.includes(made[name]!)))
    expect(sent).toEqual(
      expect.arrayContaining([
        'MEMORY_MCP_TOKEN',
        'FIRECRAWL_MCP_TOKEN',
        'SANDBOX_MCP_TOKEN',
        'INFOBIP_API_KEY',
        'MATRIX_ORACLE_ADMIN_ACCESS_TOKEN',
      ]),
    )
    expect(JSON.parse(inspection).plugins).toHaveLength(plugins.length)
    expect(stdout.split('\n').length).toBeGreaterThan(500)
    expect(heard.find({ ...never, pin })).toEqual([])
    expect(
      heard.find({ phone, national: phone.slice(3) }, ['log', 'standard error', 'inspection', 'refused boot']),
    ).toEqual([])
  },
  limit,
)

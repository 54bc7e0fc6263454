import type { OracleAppOptions } from '@sibyl/core'
import { definePlugin } from '@sibyl/plugin'
import { createVault } from '@sibyl/plugin/sealing'
import { testApp } from '@sibyl/testing'
import { createOperatorLock } from '../operators/operator-lock.ts'
import { sessionRoutes } from '../operators/session-routes.ts'
import type { UssdProvider } from '../providers/ussd-provider.ts'
import { PhoneOrigins } from '../requests/phone-origins.ts'
import type { UssdReply, UssdRequest } from '../requests/ussd-request.ts'
import type { SessionEngine } from '../sessions/session-engine.ts'
import type { SessionView } from '../sessions/session-lists.ts'
import { ussdEnv } from '../ussd-env.ts'
import { gatewayRoutes } from './gateway-routes.ts'

/** Behavior of the sessions behind a gateway in a test. */
export interface GatewayAppOptions extends Pick<OracleAppOptions, 'logger'> {
  /** @default a menu that echoes the input */
  readonly serve?: (request: UssdRequest) => Promise<UssdReply | undefined>
  readonly sessions?: readonly SessionView[]
  readonly providers?: readonly UssdProvider[]
  readonly env?: Readonly<Record<string, string>>
}

const echo = async ({ text }: UssdRequest): Promise<UssdReply> => ({ kind: 'continue', text: `You typed: ${text}` })

/** Boots an oracle with only the gateway's routes, in front of fake sessions; `served` are their requests. */
export const gatewayApp = async (options: GatewayAppOptions = {}) => {
  const served: UssdRequest[] = []
  const { serve = echo, sessions = [], providers = [] } = options
  const engine: SessionEngine = {
    async serve(request) {
      served.push(request)
      return serve(request)
    },
    find: async sessionId => sessions.find(view => view.sessionId === sessionId),
    list: async limit => ({ ids: sessions.map(view => view.sessionId).slice(0, limit), count: sessions.length }),
    async dispose() {},
  }
  const plugin = definePlugin({
    name: 'ussd',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'USSD', summary: 'The gateway alone.', whenToUse: ['a test needs it'] },
    env: ussdEnv,
    setup(host) {
      const vault = createVault({ current: Buffer.from(host.env.PIN_ENCRYPTION_KEY, 'hex') })
      const lock = createOperatorLock(host.env.USSD_OPERATOR_TOKEN, host.environment === 'development')
      const gateway = gatewayRoutes({ host, engine, vault, origins: new PhoneOrigins() }, providers)
      return { routes: [...gateway, ...sessionRoutes(engine, lock)] }
    },
  })
  const oracle = await testApp({
    plugins: [plugin],
    env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), ...options.env },
    ...(options.logger ? { logger: options.logger } : {}),
  })
  /** Sends a request with a client address, as a host does. */
  const send = (path: string, init: RequestInit & { readonly from?: string } = {}): Promise<Response> => {
    const { from, ...rest } = init
    const bindings = from === undefined ? {} : { clientAddress: from }
    return Promise.resolve(oracle.app.fetch(new Request(`http://localhost${path}`, rest), bindings))
  }
  return {
    app: oracle.app,
    served,
    send,
    /** Posts a body to `/api/ussd`: JSON unless it is text or bytes. */
    post: (body: unknown, init: { from?: string; headers?: Record<string, string> } = {}) =>
      send('/api/ussd', {
        method: 'POST',
        body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
        ...init,
        headers: { 'content-type': 'application/json', ...init.headers },
      }),
    [Symbol.asyncDispose]: () => oracle.app.close(),
  }
}

/** Returns a dial in the form of the specification. */
export const dial = (overrides: Readonly<Record<string, unknown>> = {}) => ({
  sessionId: 'session-1',
  serviceCode: '*1234#',
  phoneNumber: '+260971234567',
  text: '',
  ...overrides,
})

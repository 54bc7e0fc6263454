/** An app to call: an oracle, or the URL of a running one. */
export type UssdTarget = string | URL | { request(path: string, init?: RequestInit): Response | Promise<Response> }

/** Call of a phone in a test. Everything has a default. */
export interface UssdCall {
  /** @default '*1234#' */
  readonly serviceCode?: string
  /** @default '+260971234567' */
  readonly phoneNumber?: string
  /** @default a new one for each dial */
  readonly sessionId?: string
  /** Headers in addition to the content type, such as `x-gateway-secret`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Screen of the phone. */
export interface UssdScreen {
  /** `END`: the session has ended. */
  readonly kind: 'CON' | 'END'
  /** Without `CON` or `END`. */
  readonly text: string
  readonly lines: readonly string[]
  /** Status of the HTTP response. */
  readonly status: number
}

/** A session on a phone: the screen of the dial, and a function that answers. */
export interface UssdDialogue extends UssdScreen {
  readonly sessionId: string
  /** Input so far, joined by `*`, as a telecom gateway accumulates it. */
  readonly typed: string
  /** Sends answers, one request each; returns the screen after the last. */
  answer(...answers: readonly string[]): Promise<UssdDialogue>
  /** Sends the last request again, as a gateway does after a lost reply. */
  repeat(): Promise<UssdDialogue>
}

/**
 * Dials an oracle in the form of the interface specification, and answers its screens; the text accumulates automatically.
 *
 * @throws Error if the reply is neither CON nor END
 * @example
 * await using oracle = await testApp({ plugins: [ussd()], env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32) } })
 * const welcome = await sendUssd(oracle.app)
 * const pricing = await welcome.answer('1', '2')
 * expect(pricing.lines[0]).toBe('Pricing')
 * expect((await pricing.answer('*')).kind).toBe('END')
 */
export const sendUssd = (target: UssdTarget, call: UssdCall = {}): Promise<UssdDialogue> =>
  step(target, { ...call, sessionId: call.sessionId ?? crypto.randomUUID() }, '')

const step = async (
  target: UssdTarget,
  call: UssdCall & { sessionId: string },
  typed: string,
): Promise<UssdDialogue> => {
  const { sessionId, serviceCode = '*1234#', phoneNumber = '+260971234567', headers } = call
  const response = await request(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ sessionId, serviceCode, phoneNumber, text: typed }),
  })
  return {
    ...readScreen(await response.text(), response.status),
    sessionId,
    typed,
    async answer(...answers) {
      if (answers.length === 0) throw new Error('answer() needs at least one answer to type')
      const [first, ...rest] = answers
      const next = await step(target, call, typed === '' ? `${first}` : `${typed}*${first}`)
      return rest.length === 0 ? next : next.answer(...rest)
    },
    repeat: () => step(target, call, typed),
  }
}

const request = (target: UssdTarget, init: RequestInit): Response | Promise<Response> =>
  typeof target === 'string' || target instanceof URL
    ? fetch(new URL('/api/ussd', target), init)
    : target.request('/api/ussd', init)

const readScreen = (body: string, status: number): UssdScreen => {
  const [, kind, text] = /^(CON|END) ([\s\S]*)$/.exec(body) ?? []
  if (kind === undefined || text === undefined) {
    throw new Error(`the answer is neither CON nor END (status ${status}): ${body.slice(0, 200)}`)
  }
  return { kind: kind as 'CON' | 'END', text, lines: text.split('\n'), status }
}

import type { PhoneCall, PhoneForm } from '@sibyl/plugin-ussd/phone'
import type { FlowRecord } from '@sibyl/plugin-ussd/records'
import { useEffect, useReducer, useRef } from 'react'
import { useConsole } from '../../session/console-context.tsx'
import { type Exchange, idleHandset, nextHandset, nextPage } from './handset-state.ts'

/** Settings of a simulated phone. */
export interface HandsetSettings {
  readonly form: PhoneForm
  readonly phoneNumber: string
  readonly secret: string
  readonly keys: FlowRecord['keys']
  /** Idle time after which the network ends a call, in seconds. */
  readonly sessionSeconds: number
  /** Time after which the network gives up on a reply, in seconds. */
  readonly replySeconds: number
}

/** Characters of a response that are kept. */
const longestBody = 4_000

/** A phone that calls the gateway of the oracle in the form of a provider, without the rights of the user. */
export const useHandset = (settings: HandsetSettings) => {
  const { base } = useConsole()
  const [state, dispatch] = useReducer(nextHandset, idleHandset)
  const waiting = useRef<AbortController>(undefined)
  const { form, phoneNumber, secret, keys, sessionSeconds, replySeconds } = settings

  useEffect(() => () => waiting.current?.abort('left'), [])

  const request = async (
    { method, path, headers, body }: ReturnType<PhoneForm['request']>,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: string }> => {
    const response = await fetch(new URL(path.slice(1), base.oracle), {
      method,
      headers: { ...headers, ...(secret === '' ? {} : { 'x-gateway-secret': secret }) },
      ...(body === undefined ? {} : { body }),
      credentials: 'omit',
      cache: 'no-store',
      signal,
    })
    return { status: response.status, body: await response.text() }
  }

  const send = async (call: PhoneCall, typed: string): Promise<void> => {
    waiting.current?.abort('left')
    const control = new AbortController()
    waiting.current = control
    const timer = setTimeout(() => control.abort('no-reply'), replySeconds * 1000)
    dispatch({ kind: 'sent', call, at: Date.now() })
    const sent = form.request(call)
    try {
      const { status, body } = await request(sent, control.signal)
      const reply = form.read(body)
      const exchange: Exchange = { typed, request: sent, status, body: body.slice(0, longestBody), reply }
      const page = reply === undefined ? 1 : nextPage(state.page, typed, reply.text, keys)
      dispatch({ kind: 'replied', exchange, page, at: Date.now() })
    } catch {
      if (control.signal.reason === 'left') return
      dispatch({ kind: 'stopped', status: control.signal.aborted ? 'no-reply' : 'failed' })
    } finally {
      clearTimeout(timer)
    }
  }

  /** Reports the end of a call, if the provider does. The phone shows it anyway. */
  const end = (call: PhoneCall, reason: 'release' | 'timeout'): void => {
    waiting.current?.abort('left')
    dispatch({ kind: 'stopped', status: reason === 'release' ? 'hung-up' : 'timed-out' })
    const sent = form.end?.(call, reason)
    if (sent) void request(sent, AbortSignal.timeout(replySeconds * 1000)).catch(() => undefined)
  }

  const expire = useRef(end)
  expire.current = end
  const { status, call, shownAt } = state
  useEffect(() => {
    if (status !== 'open' || call === undefined) return undefined
    const left = shownAt + sessionSeconds * 1000 - Date.now()
    const timer = setTimeout(() => expire.current(call, 'timeout'), Math.max(0, left))
    return () => clearTimeout(timer)
  }, [status, call, shownAt, sessionSeconds])

  return {
    state,
    dial: (serviceCode: string): void => {
      void send({ sessionId: crypto.randomUUID(), phoneNumber, serviceCode, answers: [] }, '')
    },
    answer: (typed: string): void => {
      if (call !== undefined && status === 'open') void send({ ...call, answers: [...call.answers, typed] }, typed)
    },
    hangUp: (): void => {
      if (call !== undefined && (status === 'open' || status === 'waiting')) end(call, 'release')
    },
  }
}

export type Handset = ReturnType<typeof useHandset>

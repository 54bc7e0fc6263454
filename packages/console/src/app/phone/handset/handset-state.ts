import type { PhoneCall, PhoneRequest, UssdReply } from '@sibyl/plugin-ussd/phone'

/** `waiting` for a reply, `open` for an answer; the others have no call. */
export type HandsetStatus = 'idle' | 'waiting' | 'open' | 'ended' | 'hung-up' | 'timed-out' | 'no-reply' | 'failed'

/** One request of the phone and its response. */
export interface Exchange {
  /** Empty for the dial. */
  readonly typed: string
  readonly request: PhoneRequest
  readonly status: number
  /** The response as received, truncated. */
  readonly body: string
  /** The screen; undefined if the response is not in the form of the provider. */
  readonly reply: UssdReply | undefined
}

export interface HandsetState {
  readonly status: HandsetStatus
  readonly call: PhoneCall | undefined
  readonly screen: UssdReply | undefined
  /** The texts of the screens of the call, the last one last. */
  readonly texts: readonly string[]
  /** The page of a long screen, from 1. */
  readonly page: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Time of the last screen. */
  readonly shownAt: number
  /** The last request and its response. */
  readonly exchange: Exchange | undefined
}

export type HandsetEvent =
  | { readonly kind: 'sent'; readonly call: PhoneCall; readonly at: number }
  | { readonly kind: 'replied'; readonly exchange: Exchange; readonly page: number; readonly at: number }
  | { readonly kind: 'stopped'; readonly status: 'hung-up' | 'timed-out' | 'no-reply' | 'failed' }

/** Screens of a call that are kept. */
const maxTexts = 200

export const idleHandset: HandsetState = {
  status: 'idle',
  call: undefined,
  screen: undefined,
  texts: [],
  page: 1,
  startedAt: 0,
  shownAt: 0,
  exchange: undefined,
}

/** Returns the state of the phone after an event. */
export const nextHandset = (state: HandsetState, event: HandsetEvent): HandsetState => {
  switch (event.kind) {
    case 'sent': {
      const isDial = event.call.answers.length === 0
      const fresh = isDial ? { ...idleHandset, startedAt: event.at, shownAt: event.at } : state
      return { ...fresh, status: 'waiting', call: event.call }
    }
    case 'replied': {
      const { exchange, page, at } = event
      if (exchange.reply === undefined) return { ...state, status: 'failed', exchange }
      const status = exchange.reply.kind === 'end' ? 'ended' : 'open'
      const texts = [...state.texts, exchange.reply.text].slice(-maxTexts)
      return { ...state, status, screen: exchange.reply, texts, page, shownAt: at, exchange }
    }
    case 'stopped':
      return { ...state, status: event.status }
  }
}

/** Returns whether a screen has further pages, by its last lines. */
export const pagesAround = (
  text: string,
  { more, previous }: { readonly more: string; readonly previous: string },
): { readonly hasPrevious: boolean; readonly hasMore: boolean } => ({
  hasPrevious: text.includes(`\n${previous}. `),
  hasMore: text.includes(`\n${more}. `),
})

/** Returns the number of the page that an answer leads to. */
export const nextPage = (
  page: number,
  typed: string,
  shown: string,
  keys: { readonly more: string; readonly previous: string },
): number => {
  if (!pagesAround(shown, keys).hasPrevious) return 1
  if (typed === keys.more) return page + 1
  return typed === keys.previous ? Math.max(1, page - 1) : page
}

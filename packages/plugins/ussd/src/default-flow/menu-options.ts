import type { Text } from '../flow/flow.ts'
import type { Language } from '../languages/language.ts'

/** What an operator may say in the default flow. */
export interface DefaultFlowOptions {
  /** The languages, the first one for those who chose none. @default English, Swahili, French */
  readonly languages?: readonly [Language, ...Language[]]
  /** What `About this service` shows. @default the oracle's description, else a sentence on how to ask it */
  readonly about?: Text | undefined
  /** What `Pricing` shows. @default the `price` of `oracle.config.json`, else that there is none */
  readonly pricing?: Text | undefined
  /** What `Delivery` shows. @default how answers arrive */
  readonly delivery?: Text | undefined
  /** How callers reach the operator, for a new PIN: `+260 211 123456`. @default that they ask the operator */
  readonly contact?: string | undefined
}

import type { ProviderMessage } from './ussd-provider.ts'

/** What the `Type` of a request means at Hubtel, and at those who took over its form; in small letters. */
export const sessionEvents: ReadonlyMap<string, ProviderMessage['event']> = new Map([
  ['initiation', 'dial'],
  ['response', 'input'],
  ['release', 'release'],
  ['timeout', 'timeout'],
])

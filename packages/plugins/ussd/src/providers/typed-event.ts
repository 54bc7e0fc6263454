import type { ProviderReading } from './define-ussd-provider.ts'

const events: ReadonlyMap<string, ProviderReading['event']> = new Map([
  ['initiation', 'dial'],
  ['response', 'input'],
  ['release', 'release'],
  ['timeout', 'timeout'],
])

/**
 * What happened, by the `Type` and `Message` of a request, as Hubtel writes them and those who took over its form.
 *
 * @param type In small letters.
 * @param message What was dialled, or the last answer.
 * @returns undefined for a type that means nothing
 */
export const typedEvent = (
  type: string,
  message: string,
): Pick<ProviderReading, 'event' | 'dialled' | 'text'> | undefined => {
  const event = events.get(type)
  if (event === undefined) return undefined
  return { event, ...(event === 'dial' && { dialled: message }), ...(event === 'input' && { text: message }) }
}

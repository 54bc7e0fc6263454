import type { MessagePart } from '../sessions/stored-message.ts'
import type { ReadAttachments } from './read-attachments.ts'

interface StartWithMessage {
  readonly text: string
  readonly message?: { readonly id: string; readonly parts: readonly MessagePart[] } | undefined
}

/** A message whose attachments are kept once its turn begins; without words, their names stand for what was said. */
export const withAttachments = <Start extends StartWithMessage>(start: Start, { names, keep }: ReadAttachments) => {
  const { message } = start
  if (!message) return start
  const text = start.text.trim() === '' ? names.join(', ') : start.text
  const texts = message.parts.filter(part => part.type !== 'text' || String(part.text).trim() !== '')
  return { ...start, text, completeMessage: async () => ({ ...message, parts: [...texts, ...(await keep())] }) }
}

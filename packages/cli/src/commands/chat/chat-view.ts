import type { StreamedEvent } from '@sibyl/client'
import type { JsonObject, SessionMessage } from '@sibyl/protocol'
import { cleanText } from '../../output/clean-text.ts'

/** A tool call that waits for a person's word. */
export interface ApprovalQuestion {
  readonly approvalId: string
  readonly tool: string
  readonly input: unknown
  /** What the tool would do, in the oracle's words; or what it asks in the midst of its work. */
  readonly question: string
  /** Where the tool itself asks: what an answer looks like, or that yes or no is enough. */
  readonly asks?: { readonly schema: JsonObject | undefined }
}

/** Shows a conversation. Everything that comes from the oracle is shown as data, never as instructions to the terminal. */
export interface ChatView {
  /** What the person said, where it is not on the screen yet. */
  said(text: string): void
  /** @param cost What the turn cost, in words; with its last event. */
  event(item: StreamedEvent, cost?: string): void
  /** What came into the session by itself, or from elsewhere. */
  came(message: SessionMessage): void
  /** The connection broke, and is taken up again. */
  reconnecting(): void
  /** The whole of a question, before it is asked. */
  question(question: ApprovalQuestion): void
  /** The person pressed Ctrl-C: what still comes of the turn is not shown. */
  stopping(): void
  /** An exchange went wrong: what happened, and what to do next, if anything. */
  problem(message: string, remedy: string): void
  /** A remark of the command itself. */
  note(text: string): void
  /** Ends the line that is begun. */
  settle(): void
}

/** Returns what a message of a session says, safe to print; empty where it only calls tools. */
export const messageWords = ({ parts }: Pick<SessionMessage, 'parts'>): string =>
  cleanText(
    parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n'),
  ).trim()

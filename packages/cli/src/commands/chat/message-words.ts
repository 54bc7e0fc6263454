import type { SessionMessage } from '@sibyl/protocol'
import { cleanText } from '../../output/clean-text.ts'

/** What a message of a session says, safe to print; empty where it only calls tools. */
export const messageWords = ({ parts }: Pick<SessionMessage, 'parts'>): string =>
  cleanText(
    parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n'),
  ).trim()

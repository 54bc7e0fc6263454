import type { MessageMetadata } from '@sibyl/protocol'
import type { UIMessage } from 'ai'

/** A message of a conversation. */
export type ChatMessage = UIMessage<MessageMetadata>

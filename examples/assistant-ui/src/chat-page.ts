import { AssistantRuntimeProvider, ComposerPrimitive, MessagePrimitive, ThreadPrimitive } from '@assistant-ui/react'
import { useChatRuntime } from '@assistant-ui/react-ai-sdk'
import { createClient, SibylChatTransport } from '@sibyl/client'
import { createSigningKey } from '@sibyl/identity/browser'
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'

const message = (role: string) => () =>
  h(MessagePrimitive.Root, { 'data-role': role, role: 'article' } as object, h(MessagePrimitive.Parts))

const components = { UserMessage: message('user'), AssistantMessage: message('assistant') }

const thread = () =>
  h(
    ThreadPrimitive.Root,
    null,
    h(ThreadPrimitive.Viewport, null, h(ThreadPrimitive.Messages, { components })),
    h(
      ComposerPrimitive.Root,
      null,
      h(ComposerPrimitive.Input, { 'aria-label': 'Message', rows: 1 }),
      h(ComposerPrimitive.Send, null, 'Send'),
    ),
  )

/** A chat with an oracle in the components of assistant-ui; the key is fresh, so each load is another user. */
const Chat = ({ transport }: { readonly transport: SibylChatTransport }) =>
  h(AssistantRuntimeProvider, { runtime: useChatRuntime({ transport }) }, h(thread))

const url = new URLSearchParams(location.search).get('oracle') ?? 'http://localhost:3000'
const transport = new SibylChatTransport({ client: createClient({ url, signer: createSigningKey() }) })
createRoot(document.body.appendChild(document.createElement('main'))).render(h(Chat, { transport }))

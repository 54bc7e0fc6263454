import { AssistantRuntimeProvider, ComposerPrimitive, MessagePrimitive, ThreadPrimitive } from '@assistant-ui/react'
import { useChatRuntime } from '@assistant-ui/react-ai-sdk'
import { useDataStreamRuntime } from '@assistant-ui/react-data-stream'
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

/** The same with the data stream of assistant-ui and an API key; each load is another session. */
const DataStreamChat = ({ url, apiKey }: { readonly url: string; readonly apiKey: string }) => {
  const runtime = useDataStreamRuntime({
    api: `${url}/chat`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: { id: session },
  })
  return h(AssistantRuntimeProvider, { runtime }, h(thread))
}

const query = new URLSearchParams(location.search)
const url = query.get('oracle') ?? 'http://localhost:3000'
const apiKey = query.get('key')
const session = crypto.randomUUID()
const transport = new SibylChatTransport({ client: createClient({ url, signer: createSigningKey() }) })
createRoot(document.body.appendChild(document.createElement('main'))).render(
  apiKey === null ? h(Chat, { transport }) : h(DataStreamChat, { url, apiKey }),
)

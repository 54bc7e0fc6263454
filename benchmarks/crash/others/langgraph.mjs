// LangGraph JS with its PostgreSQL checkpointer, `durability: 'sync'`, and a call without input for a turn that was cut.
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'
import { charge, serve } from './serve.mjs'

const checkpointer = PostgresSaver.fromConnString(process.env.DATABASE_URL)
await checkpointer.setup()
const agent = createReactAgent({
  llm: new ChatOpenAI({
    model: 'm',
    apiKey: 'none',
    streaming: true,
    configuration: { baseURL: process.env.OPENAI_BASE_URL },
  }),
  tools: [
    tool(charge, {
      name: 'charge',
      description: 'Charges an account.',
      schema: z.object({ turn: z.string(), amount: z.number() }),
    }),
  ],
  checkpointer,
})

const stream = async (turn, input) => {
  const options = { configurable: { thread_id: turn }, durability: 'sync', streamMode: 'messages' }
  return textsOf(await agent.stream(input, options))
}

async function* textsOf(messages) {
  for await (const [message] of messages) {
    if (message.getType() === 'ai' && typeof message.content === 'string') yield message.content
  }
}

await serve({
  start: turn => stream(turn, { messages: [{ role: 'user', content: `Pay both. ${turn}` }] }),
  async resume(turn) {
    const { config } = await agent.getState({ configurable: { thread_id: turn } })
    return config.configurable.checkpoint_id ? stream(turn, null) : undefined
  },
})

import { chatLimits, clientTool, identifier, jsonValue } from '@sibyl/protocol'
import { z } from 'zod'

const message = z.looseObject({
  id: z.string().max(200),
  role: z.string().max(40),
  content: z.unknown().optional(),
  /** Of a tool: the call of its result. */
  toolCallId: z.string().max(200).nullish(),
  error: z.string().max(100_000).nullish(),
})

/** A message as a client of AG-UI sends it. */
export type ClientMessage = z.output<typeof message>

const tool = z.looseObject({
  name: clientTool.shape.name,
  description: clientTool.shape.description.nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
})

const context = z.looseObject({ description: z.string().max(10_000), value: z.string().max(200_000) })

const resumeEntry = z.looseObject({
  interruptId: z.string().max(200),
  status: z.enum(['resolved', 'cancelled']),
  payload: jsonValue.optional(),
})

/** The answer of a user to an interrupt. */
export type ResumeEntry = z.output<typeof resumeEntry>

/** Body of `POST /ag-ui`: `RunAgentInput` of AG-UI 1.0, and of the versions before. */
export const runAgentInput = z.looseObject({
  threadId: identifier,
  runId: identifier,
  protocolVersion: z.string().max(20).nullish(),
  parentRunId: z.string().max(200).nullish(),
  state: z.unknown().optional(),
  messages: z.array(message).max(10_000).default([]),
  tools: z.array(tool).max(chatLimits.clientTools).nullish(),
  context: z.array(context).max(100).nullish(),
  forwardedProps: z.unknown().optional(),
  resume: z.array(resumeEntry).max(100).nullish(),
})

export type RunAgentInput = z.output<typeof runAgentInput>

import type { ClientTool } from '@sibyl/plugin/host'
import { clientTool } from '@sibyl/protocol'
import { z } from 'zod'

/** The fields of a function that the client runs. */
export const functionFields = z.looseObject({
  name: clientTool.shape.name,
  description: clientTool.shape.description.nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
})

/** Returns a function as a tool that the client runs. */
export const clientToolOf = ({ name, description, parameters }: z.output<typeof functionFields>): ClientTool => ({
  name,
  description: description ?? '',
  inputSchema: { ...parameters, type: 'object' } as ClientTool['inputSchema'],
})

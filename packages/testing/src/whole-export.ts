import type { Host } from '@sibyl/plugin'

/** Returns the export of a person as a client reads it. */
export const wholeExport = async (people: Host['people'], did: string): Promise<Record<string, unknown>> =>
  (await new Response(await people.stream(did, () => people.export(did))).json()) as Record<string, unknown>

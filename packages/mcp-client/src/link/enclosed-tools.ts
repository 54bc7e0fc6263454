import type { Result } from '@modelcontextprotocol/client'
import { isObject } from '@sibyl/protocol'

/**
 * Puts each tool of a list into one that the SDK takes as it is: it would refuse the whole list for a single tool that is
 * described wrongly, and we leave out that one alone.
 */
export const encloseTools = (result: Result): Result =>
  Array.isArray(result.tools) ? { ...result, tools: result.tools.map(enclose) } : result

/** The tool as its server sent it. */
export const disclosedTool = (enclosed: unknown): unknown =>
  isObject(enclosed) && isObject(enclosed._meta) ? enclosed._meta.tool : undefined

const enclose = (tool: unknown) => ({ name: '', inputSchema: { type: 'object' }, _meta: { tool } })

/** Puts the result of a call into one that the SDK takes as it is: it would refuse all parts for one that is invalid. */
export const encloseResult = (result: Result): Result =>
  result.resultType === 'input_required'
    ? result
    : { ...(result.resultType === undefined ? {} : { resultType: result.resultType }), content: [], _meta: { result } }

/** The result as its server sent it. */
export const disclosedResult = (enclosed: unknown): unknown =>
  isObject(enclosed) && isObject(enclosed._meta) && isObject(enclosed._meta.result) ? enclosed._meta.result : enclosed

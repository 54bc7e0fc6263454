import type { RouteRefusal } from '@sibyl/plugin'

/** An error as A2A names it. */
interface ErrorForm {
  /** Code of JSON-RPC. */
  readonly rpc: number
  /** `reason` of the ErrorInfo. */
  readonly reason: string
}

/** Errors that A2A defines, by the codes of the oracle. */
const defined: Readonly<Record<string, ErrorForm>> = {
  a2a_task_unknown: { rpc: -32001, reason: 'TASK_NOT_FOUND' },
  a2a_push_unknown: { rpc: -32001, reason: 'TASK_NOT_FOUND' },
  a2a_task_not_cancelable: { rpc: -32002, reason: 'TASK_NOT_CANCELABLE' },
  a2a_task_ended: { rpc: -32004, reason: 'UNSUPPORTED_OPERATION' },
  a2a_task_running: { rpc: -32004, reason: 'UNSUPPORTED_OPERATION' },
  a2a_content_unsupported: { rpc: -32005, reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
  content_type_unsupported: { rpc: -32005, reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
  a2a_version_unsupported: { rpc: -32009, reason: 'VERSION_NOT_SUPPORTED' },
  a2a_method_unknown: { rpc: -32601, reason: 'METHOD_NOT_FOUND' },
  a2a_params_invalid: { rpc: -32602, reason: 'INVALID_PARAMS' },
  a2a_context_mismatch: { rpc: -32602, reason: 'INVALID_PARAMS' },
  cursor_invalid: { rpc: -32602, reason: 'INVALID_PARAMS' },
  input_invalid: { rpc: -32600, reason: 'INVALID_REQUEST' },
  json_invalid: { rpc: -32700, reason: 'PARSE_ERROR' },
}

/** Code of JSON-RPC for errors that neither it nor A2A defines, such as limits. */
const otherRpcCode = -32000

const formOf = ({ code, status }: RouteRefusal): ErrorForm =>
  defined[code] ?? { rpc: status >= 500 ? -32603 : otherRpcCode, reason: code.toUpperCase() }

const errorInfo = (refusal: RouteRefusal) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: formOf(refusal).reason,
  domain: refusal.code in defined ? 'a2a-protocol.org' : 'sibyl',
  metadata: { code: refusal.code },
})

/** Returns the message of an error, with the first invalid part of the input. */
const messageOf = ({ code, detail = code, issues = [] }: RouteRefusal): string => {
  const [issue] = issues
  return issue ? `${detail} ${issue.path || '/'}: ${issue.message}` : detail
}

/** Returns an error of the JSON-RPC binding. */
export const rpcError = (refusal: RouteRefusal) => ({
  code: formOf(refusal).rpc,
  message: messageOf(refusal),
  data: [errorInfo(refusal)],
})

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

/** Returns an error of the HTTP+JSON binding. */
export const httpError = (refusal: RouteRefusal) => ({
  error: {
    code: refusal.status,
    status: statusNames[refusal.status] ?? (refusal.status >= 500 ? 'INTERNAL' : 'FAILED_PRECONDITION'),
    message: messageOf(refusal),
    details: [errorInfo(refusal)],
  },
})

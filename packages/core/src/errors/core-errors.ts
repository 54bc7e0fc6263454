import { defineErrors } from '@sibyl/plugin'

/** Errors of the oracle outside of a turn, by code. */
export const coreErrors = defineErrors({
  attachment_invalid: {
    status: 422,
    message: 'Attachment {number} is invalid: {violation}. {remedy}',
    summary: 'An attachment has no content, or invalid content.',
  },
  attachments_denied: {
    code: 'scope_missing',
    status: 403,
    message:
      'Attachments require the ability {abilities}, which this caller does not have. Send the message without them.',
  },
  attachments_off: {
    status: 422,
    message:
      'This oracle does not accept attachments, because no plugin that stores files is loaded. Send the message without them.',
  },
  attachments_too_large: {
    status: 413,
    message:
      'The attachments of a message may have {megabytes} MB together. Send fewer or smaller files, or upload them first.',
  },
  attachments_too_many: {
    status: 422,
    message: 'A message may have at most {max} attachments. Upload the files first, or send several messages.',
  },
  delegation_missing: {
    status: 403,
    message:
      '{did} has not delegated {needed} on {resource} to this oracle. Ask the holder to post such a delegation to /delegation.',
  },
  export_running: {
    status: 429,
    message: 'Another export of personal data runs. Try again when it has ended.',
  },
  listen_failed: { message: 'Cannot listen on {host}:{port} ({reason}). Check HOST and PORT.' },
  not_booted: {
    status: 503,
    message:
      'Turns can run only after the oracle has booted. Start them in a tool, a route, a job or host.background, not in setup.',
  },
  person_held: {
    status: 409,
    message:
      'The operator must keep the data of this person for now. Ask the operator, and try again after the release of the hold.',
  },
  person_is_oracle: {
    status: 409,
    message: 'That DID belongs to this oracle, not to a person. Use the DID of the person.',
  },
  personal_records_failed: {
    status: 503,
    message: 'The personal data was not completely {done}: {parts} failed. Try again later; the log has details.',
  },
  port_in_use: {
    message: 'Port {port} is already in use. Stop the other process, or set PORT to a free port (0 selects one).',
  },
  service_missing: {
    message: "Plugin '{plugin}' requests the service '{service}'{problem}.",
    summary: 'A plugin requests a service that no plugin in its `requires` provides.',
  },
  turn_handed_over: {
    status: 503,
    message: 'This process ends. Another one continues the answer. Send the same request again to read it.',
    summary: 'The oracle is shutting down. Another process, or the next start, continues the answer.',
  },
  session_busy: {
    status: 503,
    message:
      'The message was not posted, because a turn of its session is still running. Post it again later with the same dedupeKey.',
  },
  signing_key_missing: {
    status: 503,
    message:
      'No signing mnemonic is loaded, so nothing can be signed. Set ORACLE_MNEMONIC to 12 or 24 words and restart.',
  },
})

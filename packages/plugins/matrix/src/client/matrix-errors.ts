import { defineErrors, defineToolFailures } from '@sibyl/plugin'

export const matrixErrors = defineErrors({
  matrix_unavailable: {
    status: 503,
    message: 'The homeserver {what}. Check MATRIX_BASE_URL and the homeserver.',
    summary: 'The homeserver is unreachable, fails, or returns a response that is not from Matrix.',
  },
  matrix_answer_too_long: {
    code: 'matrix_unavailable',
    status: 503,
    message: 'The homeserver returned more than {mostBytes} bytes. Check MATRIX_BASE_URL and the homeserver.',
  },
  matrix_busy: { status: 503, message: 'The homeserver accepts no more requests for {seconds} s. Wait until then.' },
  matrix_token_refused: {
    status: 503,
    message:
      'The homeserver no longer accepts MATRIX_ORACLE_ADMIN_ACCESS_TOKEN. Sign the bot in again and set the new token, or set ' +
      'MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD, so that the oracle can sign in again.',
  },
  matrix_refused: {
    status: 502,
    message: 'The homeserver rejected the request ({reason}).',
    summary: 'The homeserver rejects a request; retrying does not help.',
  },
  matrix_not_set_up: {
    status: 503,
    message: 'The DIDs of Matrix users are derived from the oracle’s key. Set ORACLE_MNEMONIC.',
    summary: 'The bot cannot sign in with its settings; the message names the variable.',
  },
  matrix_user_differs: {
    code: 'matrix_not_set_up',
    status: 503,
    message:
      'The bot is signed in as {userId}, but MATRIX_ORACLE_ADMIN_USER_ID names another user. Set it and ' +
      'MATRIX_ORACLE_ADMIN_ACCESS_TOKEN to the same user.',
  },
  matrix_credentials_missing: {
    code: 'matrix_not_set_up',
    status: 503,
    message:
      'The bot has no credentials. Set MATRIX_ORACLE_ADMIN_ACCESS_TOKEN, or MATRIX_ORACLE_ADMIN_USER_ID and ' +
      'MATRIX_ORACLE_ADMIN_PASSWORD.',
  },
  matrix_credential_missing: {
    code: 'matrix_not_set_up',
    status: 503,
    message: '{variable} is unset. Set it, or MATRIX_ORACLE_ADMIN_ACCESS_TOKEN.',
  },
  matrix_token_not_taken: {
    code: 'matrix_not_set_up',
    status: 503,
    message:
      'The homeserver does not accept MATRIX_ORACLE_ADMIN_ACCESS_TOKEN. Sign the bot in again and set the new token, or set ' +
      'MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD.',
  },
  matrix_password_wrong: {
    code: 'matrix_not_set_up',
    status: 503,
    message:
      "The homeserver rejected the bot's sign-in. Check MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD.",
  },
  matrix_encryption_failed: {
    status: 503,
    message: 'The encryption of Matrix rooms failed and starts again. Check the log and the memory of the process.',
  },
  matrix_encryption_off: {
    status: 503,
    message:
      'Encrypted Matrix rooms need a new device of the bot. Set MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD, ' +
      'or set MATRIX_ORACLE_ADMIN_ACCESS_TOKEN to a token of a new device.',
    summary: 'The bot needs a new device for encrypted rooms and cannot sign in with one.',
  },
  matrix_lease_lost: { status: 503, message: 'Another process of this oracle reads Matrix now.' },
})

/** Returns whether a response of the homeserver was too large; a smaller one may be requested. */
export const isAnswerTooLong = (error: unknown): boolean =>
  matrixErrors.matrix_answer_too_long.is(error) && 'mostBytes' in error.facts

export const matrixFailures = defineToolFailures({
  matrix_room_unknown: {
    status: 404,
    message: 'The Matrix room is unknown, or you may not write to it. list_matrix_rooms lists your rooms.',
  },
  matrix_room_missing: {
    status: 404,
    message: 'You have no direct Matrix room with this oracle. Write to it in Matrix first, or name a room.',
  },
  matrix_text_invalid: {
    status: 400,
    message: 'The text is empty or too long. Write 1 to {most} visible characters.',
  },
  matrix_outbox_full: {
    status: 503,
    message: 'Too many messages for Matrix are waiting. Try again later.',
  },
})

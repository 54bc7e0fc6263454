import { defineErrors, defineToolFailures } from '@sibyl/plugin'

export const matrixErrors = defineErrors({
  matrix_unavailable: {
    status: 503,
    message: 'The homeserver {what}. Look at MATRIX_BASE_URL and at the homeserver.',
    summary: 'The homeserver cannot be reached, fails, or its response is not one of Matrix.',
  },
  matrix_answer_too_long: {
    code: 'matrix_unavailable',
    status: 503,
    message: 'The homeserver answers with more than {mostBytes} bytes. Look at MATRIX_BASE_URL and at the homeserver.',
  },
  matrix_busy: { status: 503, message: 'The homeserver takes no more requests for {seconds} s.' },
  matrix_token_refused: {
    status: 503,
    message:
      'The homeserver does not take MATRIX_ORACLE_ADMIN_ACCESS_TOKEN any more. Sign the bot in anew and set it, or set ' +
      'MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD, with which the oracle signs in by itself.',
  },
  matrix_refused: {
    status: 502,
    message: 'The homeserver refuses that ({reason}).',
    summary: 'The homeserver rejects a request; retrying does not help.',
  },
  matrix_not_set_up: {
    status: 503,
    message: 'People of Matrix get their DIDs from the oracle’s key. Set ORACLE_MNEMONIC.',
    summary: 'The bot cannot sign in with its settings; the message names the variable.',
  },
  matrix_user_differs: {
    code: 'matrix_not_set_up',
    status: 503,
    message:
      'The bot is signed in as {userId}, not as MATRIX_ORACLE_ADMIN_USER_ID says. Set it and ' +
      'MATRIX_ORACLE_ADMIN_ACCESS_TOKEN to the same user.',
  },
  matrix_credentials_missing: {
    code: 'matrix_not_set_up',
    status: 503,
    message:
      'The bot has nothing to sign in with. Set MATRIX_ORACLE_ADMIN_ACCESS_TOKEN, or MATRIX_ORACLE_ADMIN_USER_ID and ' +
      'MATRIX_ORACLE_ADMIN_PASSWORD.',
  },
  matrix_credential_missing: {
    code: 'matrix_not_set_up',
    status: 503,
    message: 'The bot has no {variable}. Set it, or MATRIX_ORACLE_ADMIN_ACCESS_TOKEN.',
  },
  matrix_token_not_taken: {
    code: 'matrix_not_set_up',
    status: 503,
    message:
      'The homeserver does not take MATRIX_ORACLE_ADMIN_ACCESS_TOKEN. Sign the bot in anew and set it, or set ' +
      'MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD.',
  },
  matrix_password_wrong: {
    code: 'matrix_not_set_up',
    status: 503,
    message:
      'The homeserver does not let the bot in. Look at MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD.',
  },
  matrix_lease_lost: { status: 503, message: 'Another process of this oracle reads Matrix now.' },
})

/** Returns whether an answer of the homeserver was larger than is read; a smaller one may be requested. */
export const isAnswerTooLong = (error: unknown): boolean =>
  matrixErrors.matrix_answer_too_long.is(error) && 'mostBytes' in error.facts

export const matrixFailures = defineToolFailures({
  matrix_room_unknown: {
    status: 404,
    message: 'There is no such Matrix room to which you may write. list_matrix_rooms tells which there are.',
  },
  matrix_room_missing: {
    status: 404,
    message: 'You have no direct Matrix room with this oracle. Write to it in Matrix first, or name a room.',
  },
  matrix_text_invalid: {
    status: 400,
    message: 'A message for a Matrix room needs text that can be seen, of at most {most} characters.',
  },
  matrix_outbox_full: {
    status: 503,
    message: 'Too many messages for Matrix wait to be sent already. Try again later.',
  },
})

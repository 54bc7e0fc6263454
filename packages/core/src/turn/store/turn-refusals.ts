import type { Full, Refusal } from '@sibyl/plugin'
import { sendAbility } from '@sibyl/plugin/host'
import type { BudgetRefusal } from '../../budgets/token-budgets.ts'
import { shownAbilities } from '../../gate/capability-gate.ts'
import type { Approval } from './approval-store.ts'

/** The refusal of a turn; 401 when the invocation was used before. */
export type TurnRefusal = Omit<Refusal, 'status'> & { readonly status: Refusal['status'] | 401 }

/** A refusal instead of a turn. */
export interface Refused {
  readonly refused: TurnRefusal
}

/** The most characters of the tools of a client, as JSON: the model reads them at each step. */
export const maxClientToolText = 400_000

/** The engine's own refusals, by what happened. */
export const refusals = {
  turnRunning: {
    status: 409,
    code: 'turn_running',
    detail: 'A turn is running in this session. Wait until it ends, or stop it with POST /chat/:id/stop.',
    retryAfterSeconds: 1,
  },
  nonceSpent: {
    status: 401,
    code: 'ucan_replayed',
    detail: 'This invocation was used before. Mint a new one for each request.',
  },
  messageIdTaken: {
    status: 409,
    code: 'message_id_taken',
    detail: 'Another message of this session already has that id. Use a new id for each message.',
  },
  nothingToRegenerate: {
    status: 404,
    code: 'nothing_to_regenerate',
    detail: 'This session has no message of yours to answer again.',
  },
  approvalNotFound: {
    status: 404,
    code: 'approval_not_found',
    detail: 'This session has no pending approval with that id.',
  },
  approvalWithdrawn: {
    status: 409,
    code: 'approval_withdrawn',
    detail: 'A newer message closed this question. Ask the oracle again.',
  },
  approvalDecided: {
    status: 409,
    code: 'approval_decided',
    detail: 'This question was already answered differently.',
  },
  approvalWaiting: {
    status: 409,
    code: 'approval_waiting',
    detail: 'Other questions of this turn are still pending. Answer all of them.',
  },
  approvalNotShown: {
    status: 409,
    code: 'approval_not_shown',
    detail:
      'This channel did not show all arguments of the call, so it cannot approve it. Approve it where they are shown, such as in the ' +
      'console under Approvals, or deny it.',
  },
  mayNotApprove: ({ tool, abilities = [] }: Pick<Approval, 'tool' | 'abilities'>): Refusal => ({
    status: 403,
    code: 'scope_missing',
    detail:
      `'${tool}' requires the ability ${shownAbilities(abilities)}, which this caller does not have. ` +
      'Approve it with credentials that have it, or deny it.',
  }),
  maySendNothing: {
    status: 403,
    code: 'scope_missing',
    detail: `A turn requires the ability ${sendAbility}, which its actor does not have.`,
  },
  clientToolTaken: (name: string): Refusal => ({
    status: 409,
    code: 'client_tool_taken',
    detail: `The client's tool '${name.slice(0, 64)}' has the name of another tool. Rename it.`,
  }),
  clientToolsTooLarge: {
    status: 409,
    code: 'client_tools_too_large',
    detail: `The client's tools have more than ${maxClientToolText} characters as JSON. Send fewer tools, or shorter schemas.`,
  },
  shuttingDown: {
    status: 503,
    code: 'shutting_down',
    detail: 'The oracle is shutting down. Try again in a moment.',
    retryAfterSeconds: 5,
  },
  storageUnavailable: {
    status: 503,
    code: 'storage_unavailable',
    detail: 'The last answer of this session is not stored yet. Try again in a moment.',
    retryAfterSeconds: 5,
  },
  modelNotConfigured: (detail: string): Refusal => ({
    status: 503,
    code: 'model_not_configured',
    detail,
  }),
  tokenBudgetUsed: ({ scope, why, budget, retryAfterSeconds }: BudgetRefusal): Refusal => {
    const [whose, variable] = {
      did: [`Your daily budget of ${budget} tokens`, 'TOKEN_BUDGET_DID_PER_DAY'],
      address: ["Your address's share of this oracle's daily token budget", 'LIMIT_SHARE_PERCENT'],
      oracle: ["This oracle's daily token budget", 'TOKEN_BUDGET_ORACLE_PER_DAY'],
    }[scope]
    return {
      status: 429,
      code: 'token_budget_used',
      detail:
        why === 'used'
          ? `${whose} is used up. Continue after 00:00 UTC, or ask the operator to raise ${variable}.`
          : `The rest of ${lower(whose!)} is reserved for running turns. Try again when one of them has ended.`,
      retryAfterSeconds,
    }
  },
  spaceUsed: (full: Full): Refusal => ({ status: 507, ...spaceUsed[full] }),
} satisfies Record<string, TurnRefusal | ((...facts: never[]) => Refusal)>

const spaceUsed: Readonly<Record<Full, Pick<Refusal, 'code' | 'detail'>>> = {
  holder: {
    code: 'conversations_quota_reached',
    detail:
      'Nothing was stored: your conversations would exceed CONVERSATIONS_QUOTA_MB of this oracle. Delete some with DELETE /sessions/:id.',
  },
  origin: {
    code: 'conversations_share_reached',
    detail:
      'Nothing was stored: your network has used its share of the space for conversations. Delete some with DELETE /sessions/:id.',
  },
  all: {
    code: 'conversations_full',
    detail:
      "Nothing was stored: this oracle's space for conversations is full. Ask the operator to raise CONVERSATIONS_TOTAL_MB.",
  },
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

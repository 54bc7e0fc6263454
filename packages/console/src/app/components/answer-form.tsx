import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { JsonObject } from '@sibyl/protocol'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from './failure.tsx'
import { type FormField, fieldsOf, initialOf, isComplete } from './form-fields.ts'
import { lazyPart } from './lazy-part.ts'
import { LoadingState } from './states.tsx'

const SchemaFields = lazyPart(() => import('./schema-fields.tsx'), 'SchemaFields')

/** The decision about a call that waits. */
export type Decision = 'once' | 'session' | 'deny'

/** The answer to a call that waits, as the body of `POST /chat/{id}/approvals/{approvalId}`. */
export interface Answer {
  readonly decision: Decision
  readonly data?: JsonObject
  readonly reason?: string
}

/** A call that waits for the user. */
export interface AnswerableCall {
  readonly kind: 'approval' | 'question'
  /** The JSON Schema of the requested data. */
  readonly schema?: Readonly<Record<string, unknown>> | JsonObject | undefined
}

/** State of the form of a call, shared with shortcuts of the view around it. */
export interface AnswerState {
  readonly call: AnswerableCall
  readonly fields: readonly FormField[]
  readonly values: JsonObject
  readonly reason: string
  setValues(values: JsonObject): void
  setReason(reason: string): void
  /** Returns the answer with a decision; undefined if it is not possible. */
  answerOf(decision: Decision): Answer | undefined
}

/** Creates the state of an answer form. @param mayApprove Whether the user may do more than deny. */
export const useAnswer = (call: AnswerableCall, mayApprove = true): AnswerState => {
  const fields = call.kind === 'question' ? fieldsOf(call.schema) : []
  const [values, setValues] = useState<JsonObject>(() => initialOf(fields))
  const [reason, setReason] = useState('')
  return {
    call,
    fields,
    values,
    reason,
    setValues,
    setReason,
    answerOf(decision) {
      if (decision !== 'deny' && !(mayApprove && isComplete(fields, values))) return undefined
      if (decision === 'session' && call.kind === 'question') return undefined
      const given = reason.trim()
      return {
        decision,
        ...(decision !== 'deny' && fields.length > 0 ? { data: values } : {}),
        ...(given === '' ? {} : { reason: given }),
      }
    },
  }
}

/** The requested data, a reason, and the decisions about a call that waits for the user. */
export const AnswerForm = ({
  state,
  mayApprove = true,
  isBusy = false,
  busyWith,
  failure,
  onAnswer,
}: {
  readonly state: AnswerState
  /** @default true */
  readonly mayApprove?: boolean
  readonly isBusy?: boolean
  /** The decision that is being sent. */
  readonly busyWith?: Decision | undefined
  readonly failure?: unknown
  readonly onAnswer: (answer: Answer) => void
}) => {
  const { t } = useTranslation()
  const { call, fields, values, reason } = state
  const isQuestion = call.kind === 'question'
  const answer = (decision: Decision) => {
    const given = state.answerOf(decision)
    if (given) onAnswer(given)
  }
  return (
    <Stack gap="xs">
      {fields.length > 0 && (
        <Suspense fallback={<LoadingState />}>
          <SchemaFields fields={fields} values={values} onChange={state.setValues} />
        </Suspense>
      )}
      <TextInput
        size="xs"
        label={t('answer.reason')}
        value={reason}
        onChange={event => state.setReason(event.currentTarget.value)}
        maxLength={2_000}
      />
      <Failure error={failure} />
      <Group gap="xs">
        {mayApprove && (
          <Button
            size="xs"
            loading={busyWith === 'once'}
            disabled={isBusy || state.answerOf('once') === undefined}
            onClick={() => answer('once')}
          >
            {t(isQuestion ? (fields.length > 0 ? 'answer.send' : 'answer.yes') : 'answer.once')}
          </Button>
        )}
        {mayApprove && !isQuestion && (
          <Button
            size="xs"
            variant="default"
            loading={busyWith === 'session'}
            disabled={isBusy}
            onClick={() => answer('session')}
          >
            {t('answer.session')}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          color="red"
          loading={busyWith === 'deny'}
          disabled={isBusy}
          onClick={() => answer('deny')}
        >
          {t(isQuestion ? 'answer.decline' : 'answer.deny')}
        </Button>
      </Group>
    </Stack>
  )
}

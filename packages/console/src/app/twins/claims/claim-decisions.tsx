import { Button, Group, Kbd, Paper, Stack, Switch, Text, Textarea } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ClaimDetails, claimDetails } from '@sibyl/plugin-claims/records'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../../components/command-hint.tsx'
import { curl } from '../../components/curl.ts'
import { Note } from '../../components/note.tsx'
import { ErrorState } from '../../components/states.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { type Decision, decisionsOf } from './decisions.ts'
import { useShortcuts } from './use-shortcuts.ts'

/** The decisions that are open to the user, with buttons and shortcuts. */
export const ClaimDecisions = ({ claim }: { readonly claim: ClaimDetails }) => {
  const { t } = useTranslation('twins')
  const notify = useNotify()
  const api = useApi()
  const access = useAccess()
  const queries = useQueryClient()
  const { isOn, setOn } = useShortcuts()
  const reasonInput = useRef<HTMLTextAreaElement>(null)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState<Decision>()
  const decisions = decisionsOf(claim).filter(({ ability }) => access.may(ability))
  const { mutate, isPending, error } = useMutation({
    mutationFn: (decision: Decision) =>
      api.post(`v1/claims/${claim.id}/${decision.route}`, { schema: claimDetails, body: decision.body(reason.trim()) }),
    onSuccess: async (after, decision) => {
      queries.setQueryData(['claim', claim.id], after)
      setReason('')
      setMissing(undefined)
      notify.done(t(`claims.done.${decision.name}`))
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['v1/claims'] }),
        queries.invalidateQueries({ queryKey: ['claims-queue'] }),
      ])
    },
    onError: () => void queries.invalidateQueries({ queryKey: ['claim', claim.id] }),
  })
  const decide = (decision: Decision) => {
    if (isPending) return
    if (decision.needsReason && reason.trim().length < 3) {
      setMissing(decision)
      reasonInput.current?.focus()
      return
    }
    mutate(decision)
  }
  useHotkeys(isOn ? decisions.map(decision => [decision.key, () => decide(decision)] as const) : [])
  if (decisions.length === 0) {
    return (
      <Note>{t(claim.state === 'upheld' || claim.state === 'invalidated' ? 'claims.ended' : 'claims.notYours')}</Note>
    )
  }
  return (
    <Paper withBorder p="md" component="section" aria-label={t('claims.decide')}>
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          {t(`claims.waits.${claim.state as 'submitted' | 'evaluating' | 'approved' | 'rejected' | 'disputed'}`)}
        </Text>
        {decisions.some(({ takesReason }) => takesReason) && (
          <Textarea
            ref={reasonInput}
            label={t('claims.reason')}
            description={t(
              decisions.every(({ needsReason }) => needsReason) ? 'claims.reasonNeeded' : 'claims.reasonHint',
            )}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
            error={missing && reason.trim().length < 3 ? t('claims.reasonMissing') : undefined}
            maxLength={1000}
            autosize
            minRows={1}
          />
        )}
        <Group gap="xs">
          {decisions.map(decision => (
            <Button
              key={decision.name}
              size="sm"
              variant={decision.isMain ? 'filled' : 'default'}
              disabled={isPending}
              onClick={() => decide(decision)}
              rightSection={
                isOn ? (
                  <Kbd size="xs" aria-hidden>
                    {decision.key}
                  </Kbd>
                ) : undefined
              }
              aria-keyshortcuts={isOn ? decision.key : undefined}
            >
              {t(`claims.decisionNames.${decision.name}`)}
            </Button>
          ))}
          <Switch
            size="xs"
            ms="auto"
            checked={isOn}
            onChange={event => setOn(event.currentTarget.checked)}
            label={t('claims.shortcuts')}
          />
        </Group>
        {error && <ErrorState error={error} />}
        <CommandHint
          commands={decisions.map(({ route, body, takesReason }) =>
            curl('POST', api.url(`v1/claims/${claim.id}/${route}`), body(takesReason ? reason.trim() || '…' : '')),
          )}
        />
      </Stack>
    </Paper>
  )
}

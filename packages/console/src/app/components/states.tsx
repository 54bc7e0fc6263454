import { Alert, Button, Center, Loader, Stack, Text } from '@mantine/core'
import { CircleAlert, Lock, Power } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { Note } from './note.tsx'

/** Shown while data loads. */
export const LoadingState = () => {
  const { t } = useTranslation()
  return (
    <Center py="xl" role="status" aria-label={t('state.loading')}>
      <Loader size="sm" />
    </Center>
  )
}

/** Shown when data could not be loaded, with the reason of the oracle and its code. */
export const ErrorState = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) => {
  const { t } = useTranslation()
  const [detail, code] = error instanceof Problem ? [error.message, error.code] : [String(error), undefined]
  // Rights are not a failure: nothing is red, and a retry changes nothing.
  if (error instanceof Problem && error.status === 403) {
    return (
      <EmptyState icon={<Lock size={28} aria-hidden />} title={t('state.notAllowed')}>
        {detail}
      </EmptyState>
    )
  }
  return (
    <Alert color="red" variant="light" icon={<CircleAlert size={18} aria-hidden />} title={t('state.failed')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{detail}</Text>
        {code === 'route_not_found' && <Text size="sm">{t('state.routeMissing')}</Text>}
        {code !== undefined && (
          <Text size="xs" c="dimmed" ff="monospace">
            {code}
          </Text>
        )}
        {code === 'route_not_found' ? (
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            {t('state.reload')}
          </Button>
        ) : (
          onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              {t('state.retry')}
            </Button>
          )
        )}
      </Stack>
    </Alert>
  )
}

/** Shown when there is nothing yet: what it is for, and what to do. */
export const EmptyState = ({
  icon,
  title,
  children,
}: {
  readonly icon?: ReactNode
  readonly title: string
  readonly children?: ReactNode
}) => (
  <Center py="xl">
    <Stack align="center" gap="xs" maw={480} ta="center">
      {icon}
      <Text fw={600}>{title}</Text>
      {typeof children === 'string' ? <Note>{children}</Note> : children}
    </Stack>
  </Center>
)

/** Shown instead of a view that the rights of the user do not cover. */
export const NotAllowedState = ({ ability }: { readonly ability: string }) => {
  const { t } = useTranslation()
  return (
    <EmptyState icon={<Lock size={28} aria-hidden />} title={t('state.notAllowed')}>
      {t('state.notAllowedRemedy', { ability })}
    </EmptyState>
  )
}

/** Shown instead of a view of a plugin that is off. */
export const PluginOffState = ({ plugin }: { readonly plugin: string }) => {
  const { t } = useTranslation()
  return (
    <EmptyState icon={<Power size={28} aria-hidden />} title={t('state.pluginOff', { plugin })}>
      {t('state.pluginOffRemedy')}
    </EmptyState>
  )
}

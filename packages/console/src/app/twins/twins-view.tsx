import { Button, Group } from '@mantine/core'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NotAllowedState, PluginOffState } from '../components/states.tsx'
import { useAccess } from '../session/console-context.tsx'
import { mayBeOn } from './parts/may-be-on.ts'
import { NamesProvider } from './parts/names.tsx'

const parts = [
  { name: 'entities', plugin: 'entities', ability: 'entities/read' },
  { name: 'claims', plugin: 'claims', ability: 'claims/read' },
  { name: 'protocols', plugin: 'entities', ability: 'entities/read' },
] as const

/** The frame of all views of twins: their navigation, and the check of the rights. */
export const TwinsView = () => {
  const { t } = useTranslation('twins')
  const access = useAccess()
  const path = useRouterState({ select: state => state.location.pathname })
  const current = parts.find(({ name }) => path.startsWith(`/twins/${name}`)) ?? parts[0]
  return (
    <NamesProvider>
      <Group component="nav" gap={4} mb="md" aria-label={t('title')}>
        {parts.map(({ name }) => (
          <Button
            key={name}
            size="compact-sm"
            variant={name === current.name ? 'light' : 'subtle'}
            color={name === current.name ? undefined : 'gray'}
            aria-current={name === current.name ? 'page' : undefined}
            renderRoot={props => <Link to={`/twins/${name}`} {...props} />}
          >
            {t(`${name}.title`)}
          </Button>
        ))}
      </Group>
      {!mayBeOn(access, current.plugin) ? (
        <PluginOffState plugin={current.plugin} />
      ) : access.may(current.ability) ? (
        <Outlet />
      ) : (
        <NotAllowedState ability={current.ability} />
      )}
    </NamesProvider>
  )
}

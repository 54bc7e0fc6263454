import { Button, Group } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'

/** A view of a feature, as its navigation shows it. */
export interface ViewLink {
  readonly to: string
  readonly label: string
}

/** The navigation between the views of a feature. The first one is current elsewhere. */
export const ViewLinks = ({ label, views }: { readonly label: string; readonly views: readonly ViewLink[] }) => {
  const path = useRouterState({ select: state => state.location.pathname })
  const current = views.findLast(({ to }) => path === to || path.startsWith(`${to}/`)) ?? views[0]
  return (
    <Group component="nav" gap={4} aria-label={label}>
      {views.map(view => (
        <Button
          key={view.to}
          size="compact-sm"
          variant={view === current ? 'light' : 'subtle'}
          {...(view !== current && { color: 'gray' })}
          aria-current={view === current ? 'page' : undefined}
          renderRoot={props => <Link to={view.to} {...props} />}
        >
          {view.label}
        </Button>
      ))}
    </Group>
  )
}

// The files of the dashboard's page, and the policy under which a browser runs them.

export { DASHBOARD_POLICY, type DashboardFile, readDashboard } from '../served/files.ts';

// The files of the dashboard's pages, each with the policies under which a browser runs it.

export { type DashboardFile, readDashboard } from '../served/files.ts';

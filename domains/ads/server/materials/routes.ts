import type { Route } from "@zhangfang/server/calls/call.ts";
import type { Job } from "@zhangfang/server/jobs/jobs.ts";
import { auditMaterialsRoute } from "./audit-materials.ts";
import { dropFilesJob } from "./drop-files.ts";
import { getMaterialFileRoute } from "./file-link.ts";
import { getMaterialByIdRoute, getMaterialsRoute, queryMaterialAuditStatusRoute, summariseMaterialsRoute } from "./read-materials.ts";
import { purgeUploads } from "./uploads/purge-uploads.ts";
import { addUploadPieceRoute, cancelUploadRoute, listUploadsRoute, renewUploadRoute, startUploadRoute } from "./uploads/run-upload.ts";
import { uploadCallbackRoute } from "./uploads/take-upload.ts";
import { removeMaterialsRoute, renameMaterialRoute } from "./write-materials.ts";

export const materialRoutes: readonly Route[] = [
  getMaterialsRoute,
  summariseMaterialsRoute,
  getMaterialByIdRoute,
  queryMaterialAuditStatusRoute,
  auditMaterialsRoute,
  renameMaterialRoute,
  removeMaterialsRoute,
  startUploadRoute,
  addUploadPieceRoute,
  renewUploadRoute,
  cancelUploadRoute,
  listUploadsRoute,
  uploadCallbackRoute,
  getMaterialFileRoute,
];
export const materialJobs: readonly Job[] = [dropFilesJob, purgeUploads];

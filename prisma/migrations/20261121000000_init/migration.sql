-- CreateEnum
CREATE TYPE "scope" AS ENUM ('read', 'write');

-- CreateEnum
CREATE TYPE "organization_role" AS ENUM ('OWNER', 'ADMIN', 'MEMBER', 'GUEST');

-- CreateEnum
CREATE TYPE "project_access" AS ENUM ('OPEN', 'RESTRICTED');

-- CreateEnum
CREATE TYPE "project_role" AS ENUM ('ADMIN', 'EDITOR', 'VIEWER');

-- CreateEnum
CREATE TYPE "document_state" AS ENUM ('ACTIVE', 'RECYCLED');

-- CreateEnum
CREATE TYPE "document_origin" AS ENUM ('UPLOAD', 'FORM', 'SEAL');

-- CreateEnum
CREATE TYPE "text_status" AS ENUM ('PENDING', 'READY', 'NONE', 'FAILED', 'SKIPPED');

-- CreateEnum
CREATE TYPE "upload_state" AS ENUM ('RESERVED', 'RECEIVED', 'CONFIRMED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "field_type" AS ENUM ('TEXT', 'NUMBER', 'CURRENCY', 'DATE', 'BOOL');

-- CreateEnum
CREATE TYPE "task_state" AS ENUM ('OPEN', 'COMPLETED', 'DENIED');

-- CreateEnum
CREATE TYPE "form_state" AS ENUM ('PRIVATE', 'SHARED');

-- CreateEnum
CREATE TYPE "approval_rule" AS ENUM ('ONE', 'ALL');

-- CreateEnum
CREATE TYPE "approval_state" AS ENUM ('PENDING', 'APPROVED', 'DECLINED', 'DENIED');

-- CreateEnum
CREATE TYPE "signature_field_type" AS ENUM ('SIGNATURE', 'INITIALS', 'FULL_NAME', 'EMAIL', 'TITLE', 'DATE', 'TEXT');

-- CreateEnum
CREATE TYPE "signature_session_state" AS ENUM ('DRAFT', 'ACTIVE', 'COMPLETED', 'STOPPED');

-- CreateEnum
CREATE TYPE "signature_recipient_state" AS ENUM ('WAITING', 'REQUESTED', 'COMPLETED', 'DECLINED');

-- CreateEnum
CREATE TYPE "sealing_state" AS ENUM ('NONE', 'PENDING', 'SEALED', 'FAILED');

-- CreateEnum
CREATE TYPE "client_kind" AS ENUM ('CONFIDENTIAL', 'PUBLIC');

-- CreateEnum
CREATE TYPE "token_format" AS ENUM ('OPAQUE', 'JWT');

-- CreateEnum
CREATE TYPE "key_purpose" AS ENUM ('ADDRESS', 'TOKEN');

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "password_hash" TEXT COLLATE "C",
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_ins" (
    "id" TEXT COLLATE "C" NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "user_agent" TEXT COLLATE "C" NOT NULL,
    "ip_address" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_ins_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "prefix" TEXT COLLATE "C" NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "scopes" "scope"[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organizations" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_by_id" TEXT COLLATE "C",
    "modified_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "role" "organization_role" NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "projects" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "access" "project_access" NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "source_id" TEXT COLLATE "C",
    "source_content_copied" BOOLEAN NOT NULL DEFAULT false,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_by_id" TEXT COLLATE "C",
    "modified_at" TIMESTAMPTZ(3),
    "purge_marked_by_id" TEXT COLLATE "C",
    "purge_marked_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "project_members" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "role" "project_role" NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_members_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "folders" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "parent_id" TEXT COLLATE "C",
    "ancestor_ids" TEXT[] COLLATE "C",
    "link_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "hex_color" TEXT COLLATE "C",
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_by_workflow" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_by_id" TEXT COLLATE "C",
    "modified_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "folders_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "folder_assignments" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "folder_id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "folder_assignments_pkey" PRIMARY KEY ("organization_id","folder_id","email")
);

-- CreateTable
CREATE TABLE "documents" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "folder_id" TEXT COLLATE "C",
    "name" TEXT COLLATE "C" NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "state" "document_state" NOT NULL DEFAULT 'ACTIVE',
    "origin" "document_origin" NOT NULL DEFAULT 'UPLOAD',
    "group_id" TEXT COLLATE "C",
    "revision_number" INTEGER NOT NULL,
    "content_type" TEXT COLLATE "C" NOT NULL,
    "page_count" INTEGER,
    "size" BIGINT NOT NULL,
    "text_status" "text_status" NOT NULL DEFAULT 'PENDING',
    "signed_at" TIMESTAMPTZ(3),
    "legal_hold" BOOLEAN NOT NULL DEFAULT false,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_by_id" TEXT COLLATE "C",
    "modified_at" TIMESTAMPTZ(3),
    "recycled_by_id" TEXT COLLATE "C",
    "recycled_at" TIMESTAMPTZ(3),
    "purge_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "documents_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "document_assignments" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "document_id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "document_assignments_pkey" PRIMARY KEY ("organization_id","document_id","email")
);

-- CreateTable
CREATE TABLE "revisions" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "document_id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "blob_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "content_type" TEXT COLLATE "C" NOT NULL,
    "page_count" INTEGER,
    "size" BIGINT NOT NULL,
    "restored_from" INTEGER,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "revisions_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "blobs" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "sha256" BYTEA NOT NULL,
    "size" BIGINT NOT NULL,
    "content_type" TEXT COLLATE "C" NOT NULL,
    "page_count" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blobs_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "uploads" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "blob_id" TEXT COLLATE "C" NOT NULL,
    "state" "upload_state" NOT NULL DEFAULT 'RESERVED',
    "size" BIGINT,
    "sha256" BYTEA,
    "received_at" TIMESTAMPTZ(3),
    "confirmed_at" TIMESTAMPTZ(3),
    "document_id" TEXT COLLATE "C",
    "revision_number" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "tags" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,
    "text_key" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "document_tags" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "document_id" TEXT COLLATE "C" NOT NULL,
    "tag_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "document_tags_pkey" PRIMARY KEY ("organization_id","document_id","tag_id")
);

-- CreateTable
CREATE TABLE "fields" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "parent_id" TEXT COLLATE "C",
    "name" TEXT COLLATE "C" NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "label" TEXT COLLATE "C",
    "type" "field_type" NOT NULL,
    "rank" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "required" BOOLEAN NOT NULL DEFAULT false,
    "sensitive" BOOLEAN NOT NULL DEFAULT false,
    "multiple_values" BOOLEAN NOT NULL DEFAULT false,
    "multiple_lines" BOOLEAN NOT NULL DEFAULT false,
    "rows" INTEGER NOT NULL DEFAULT 1,
    "choices" BOOLEAN NOT NULL DEFAULT false,
    "choices_depend_on_parent" BOOLEAN NOT NULL DEFAULT false,
    "new_choices_allowed" BOOLEAN NOT NULL DEFAULT false,
    "new_choices_saved" BOOLEAN NOT NULL DEFAULT false,
    "decimal_places" INTEGER NOT NULL DEFAULT 0,
    "mask" TEXT COLLATE "C",
    "uses_creation_date" BOOLEAN NOT NULL DEFAULT false,
    "text_match_type" TEXT COLLATE "C",
    "on_documents" BOOLEAN NOT NULL DEFAULT true,
    "label_hidden" BOOLEAN NOT NULL DEFAULT false,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "fields_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "field_list_items" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "field_id" TEXT COLLATE "C" NOT NULL,
    "parent_value" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "value" TEXT COLLATE "C" NOT NULL,
    "rank" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "field_list_items_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "document_field_values" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "document_id" TEXT COLLATE "C" NOT NULL,
    "field_id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,
    "text_key" TEXT COLLATE "C" NOT NULL,
    "number" DECIMAL(65,30),
    "date" TIMESTAMPTZ(3),

    CONSTRAINT "document_field_values_pkey" PRIMARY KEY ("organization_id","document_id","field_id","position")
);

-- CreateTable
CREATE TABLE "events" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "sequence" BIGINT NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C",
    "subject_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "actor_id" TEXT COLLATE "C",
    "credential_id" TEXT COLLATE "C",
    "request_id" TEXT COLLATE "C",
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("organization_id","sequence")
);

-- CreateTable
CREATE TABLE "event_heads" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "sequence" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "event_heads_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "security_events" (
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "data" JSONB NOT NULL,
    "ip_address" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "security_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tasks" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "parent_id" TEXT COLLATE "C",
    "run_id" TEXT COLLATE "C",
    "name" TEXT COLLATE "C" NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "description_html" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "description_rich_text" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "state" "task_state" NOT NULL DEFAULT 'OPEN',
    "result" TEXT COLLATE "C",
    "priority" INTEGER NOT NULL DEFAULT 0,
    "assignee_email" TEXT COLLATE "C",
    "assignee_id" TEXT COLLATE "C",
    "due_at" TIMESTAMPTZ(3),
    "due_changed_at" TIMESTAMPTZ(3),
    "remind7_at" TIMESTAMPTZ(3),
    "remind3_at" TIMESTAMPTZ(3),
    "remind1_at" TIMESTAMPTZ(3),
    "revision_number" INTEGER NOT NULL DEFAULT 1,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_by_id" TEXT COLLATE "C",
    "modified_at" TIMESTAMPTZ(3),
    "completed_by_id" TEXT COLLATE "C",
    "completed_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "task_documents" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,
    "document_id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "task_documents_pkey" PRIMARY KEY ("organization_id","task_id","document_id")
);

-- CreateTable
CREATE TABLE "form_templates" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "link_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "state" "form_state" NOT NULL DEFAULT 'PRIVATE',
    "is_public" BOOLEAN NOT NULL DEFAULT false,
    "blob_id" TEXT COLLATE "C",
    "page_count" INTEGER NOT NULL DEFAULT 0,
    "aspect" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_by_id" TEXT COLLATE "C",
    "modified_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "form_templates_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "form_shares" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "form_template_id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "form_shares_pkey" PRIMARY KEY ("organization_id","form_template_id","email")
);

-- CreateTable
CREATE TABLE "form_fields" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "form_template_id" TEXT COLLATE "C" NOT NULL,
    "field_id" TEXT COLLATE "C" NOT NULL,
    "link_id" TEXT COLLATE "C" NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "rank" INTEGER NOT NULL,
    "required" BOOLEAN NOT NULL DEFAULT false,
    "minimum" DECIMAL(65,30),
    "maximum" DECIMAL(65,30),
    "page_index" INTEGER NOT NULL DEFAULT 0,
    "x" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "y" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "width" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "font_size" INTEGER NOT NULL DEFAULT 0,
    "column_layout" BOOLEAN NOT NULL DEFAULT false,
    "default_values" TEXT[] COLLATE "C",
    "possible_values" TEXT[] COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "form_fields_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "form_submissions" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "form_template_id" TEXT COLLATE "C" NOT NULL,
    "group_id" TEXT COLLATE "C" NOT NULL,
    "submitted_by_id" TEXT COLLATE "C",
    "ip_address" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "form_submissions_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "form_submission_values" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "submission_id" TEXT COLLATE "C" NOT NULL,
    "form_field_id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "form_submission_values_pkey" PRIMARY KEY ("organization_id","submission_id","form_field_id","position")
);

-- CreateTable
CREATE TABLE "processes" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_by_id" TEXT COLLATE "C",
    "modified_at" TIMESTAMPTZ(3),
    "archived_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "processes_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "process_steps" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "process_id" TEXT COLLATE "C" NOT NULL,
    "rank" INTEGER NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "rule" "approval_rule" NOT NULL,

    CONSTRAINT "process_steps_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "process_step_approvers" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "step_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "process_step_approvers_pkey" PRIMARY KEY ("organization_id","step_id","user_id")
);

-- CreateTable
CREATE TABLE "process_runs" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "process_id" TEXT COLLATE "C" NOT NULL,
    "document_id" TEXT COLLATE "C",
    "task_id" TEXT COLLATE "C",
    "state" "approval_state" NOT NULL DEFAULT 'PENDING',
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_by_id" TEXT COLLATE "C",
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "process_runs_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "approvals" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "run_id" TEXT COLLATE "C" NOT NULL,
    "step_id" TEXT COLLATE "C" NOT NULL,
    "rule" "approval_rule" NOT NULL,
    "state" "approval_state" NOT NULL DEFAULT 'PENDING',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_by_id" TEXT COLLATE "C",
    "decided_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "approvals_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "approvers" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "approval_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "state" "approval_state" NOT NULL DEFAULT 'PENDING',
    "delegated_from_id" TEXT COLLATE "C",
    "comment" TEXT COLLATE "C",
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "approvers_pkey" PRIMARY KEY ("organization_id","approval_id","user_id")
);

-- CreateTable
CREATE TABLE "signature_forms" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "document_id" TEXT COLLATE "C" NOT NULL,
    "template_id" TEXT COLLATE "C",
    "last_viewed_page_index" INTEGER NOT NULL DEFAULT 0,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3),

    CONSTRAINT "signature_forms_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "signature_fields" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "form_id" TEXT COLLATE "C" NOT NULL,
    "recipient_id" TEXT COLLATE "C",
    "type" "signature_field_type" NOT NULL,
    "label" TEXT COLLATE "C",
    "required" BOOLEAN NOT NULL DEFAULT true,
    "rank" INTEGER NOT NULL,
    "page_index" INTEGER NOT NULL,
    "x" DOUBLE PRECISION NOT NULL,
    "y" DOUBLE PRECISION NOT NULL,
    "width" DOUBLE PRECISION,
    "height" DOUBLE PRECISION,
    "value" TEXT COLLATE "C",
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signature_fields_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "signature_sessions" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "document_id" TEXT COLLATE "C" NOT NULL,
    "revision_id" TEXT COLLATE "C" NOT NULL,
    "state" "signature_session_state" NOT NULL DEFAULT 'DRAFT',
    "form_design_type" TEXT COLLATE "C" NOT NULL DEFAULT 'Custom',
    "use_access_code" BOOLEAN NOT NULL DEFAULT false,
    "access_code" TEXT COLLATE "C",
    "use_custom_mail" BOOLEAN NOT NULL DEFAULT false,
    "custom_subject" TEXT COLLATE "C",
    "custom_body" TEXT COLLATE "C",
    "place_initials" BOOLEAN NOT NULL DEFAULT false,
    "place_full_name" BOOLEAN NOT NULL DEFAULT false,
    "place_email" BOOLEAN NOT NULL DEFAULT false,
    "place_title" BOOLEAN NOT NULL DEFAULT false,
    "sealing" "sealing_state" NOT NULL DEFAULT 'NONE',
    "sealing_attempts" INTEGER NOT NULL DEFAULT 0,
    "sealing_error" TEXT COLLATE "C",
    "sealing_next_at" TIMESTAMPTZ(3),
    "sealed_at" TIMESTAMPTZ(3),
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_by_id" TEXT COLLATE "C",
    "modified_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "stopped_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "signature_sessions_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "signature_recipients" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "session_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C",
    "rank" INTEGER NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "full_name" TEXT COLLATE "C" NOT NULL,
    "state" "signature_recipient_state" NOT NULL DEFAULT 'WAITING',
    "link_version" INTEGER NOT NULL DEFAULT 1,
    "link_expires_at" TIMESTAMPTZ(3),
    "requested_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "declined_reason" TEXT COLLATE "C",
    "ip_address" TEXT COLLATE "C",
    "user_agent" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signature_recipients_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "signature_form_templates" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3),

    CONSTRAINT "signature_form_templates_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "signature_template_fields" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "template_id" TEXT COLLATE "C" NOT NULL,
    "type" "signature_field_type" NOT NULL,
    "recipient_rank" INTEGER NOT NULL,
    "label" TEXT COLLATE "C",
    "rank" INTEGER NOT NULL,
    "page_index" INTEGER NOT NULL,
    "x" DOUBLE PRECISION NOT NULL,
    "y" DOUBLE PRECISION NOT NULL,
    "width_percent" DOUBLE PRECISION,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signature_template_fields_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "search_templates" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "project_id" TEXT COLLATE "C",
    "name" TEXT COLLATE "C" NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "content_type" TEXT COLLATE "C",
    "keyword" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "filters" JSONB NOT NULL,
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "search_templates_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "clients" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "kind" "client_kind" NOT NULL,
    "native" BOOLEAN NOT NULL DEFAULT false,
    "redirect_uris" TEXT[] COLLATE "C",
    "scopes" "scope"[],
    "token_format" "token_format" NOT NULL DEFAULT 'OPAQUE',
    "created_by_id" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "client_secrets" (
    "id" TEXT COLLATE "C" NOT NULL,
    "client_id" TEXT COLLATE "C" NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "grants" (
    "id" TEXT COLLATE "C" NOT NULL,
    "client_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "scopes" "scope"[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_reason" TEXT COLLATE "C",

    CONSTRAINT "grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "authorization_codes" (
    "secret_hash" BYTEA NOT NULL,
    "grant_id" TEXT COLLATE "C" NOT NULL,
    "redirect_uri" TEXT COLLATE "C" NOT NULL,
    "code_challenge" TEXT COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "authorization_codes_pkey" PRIMARY KEY ("secret_hash")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "secret_hash" BYTEA NOT NULL,
    "grant_id" TEXT COLLATE "C" NOT NULL,
    "scopes" "scope"[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("secret_hash")
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "secret_hash" BYTEA NOT NULL,
    "grant_id" TEXT COLLATE "C" NOT NULL,
    "scopes" "scope"[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("secret_hash")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "id" TEXT COLLATE "C" NOT NULL,
    "purpose" "key_purpose" NOT NULL,
    "algorithm" TEXT COLLATE "C" NOT NULL,
    "private_jwk" JSONB NOT NULL,
    "public_jwk" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "sign_ins_secret_hash_key" ON "sign_ins"("secret_hash");

-- CreateIndex
CREATE INDEX "sign_ins_user_id_idx" ON "sign_ins"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_secret_hash_key" ON "api_keys"("secret_hash");

-- CreateIndex
CREATE INDEX "api_keys_user_id_created_at_id_idx" ON "api_keys"("user_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "memberships_id_key" ON "memberships"("id");

-- CreateIndex
CREATE INDEX "memberships_organization_id_created_at_id_idx" ON "memberships"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "memberships_organization_id_user_id_key" ON "memberships"("organization_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "projects_id_key" ON "projects"("id");

-- CreateIndex
CREATE INDEX "projects_organization_id_created_at_id_idx" ON "projects"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "projects_organization_id_name_key_id_idx" ON "projects"("organization_id", "name_key", "id");

-- CreateIndex
CREATE UNIQUE INDEX "project_members_id_key" ON "project_members"("id");

-- CreateIndex
CREATE INDEX "project_members_organization_id_project_id_created_at_id_idx" ON "project_members"("organization_id", "project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "project_members_organization_id_user_id_idx" ON "project_members"("organization_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "project_members_organization_id_project_id_user_id_key" ON "project_members"("organization_id", "project_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "folders_id_key" ON "folders"("id");

-- CreateIndex
CREATE UNIQUE INDEX "folders_link_id_key" ON "folders"("link_id");

-- CreateIndex
CREATE INDEX "folders_organization_id_project_id_parent_id_name_key_id_idx" ON "folders"("organization_id", "project_id", "parent_id", "name_key", "id");

-- CreateIndex
CREATE INDEX "folders_organization_id_project_id_parent_id_created_at_id_idx" ON "folders"("organization_id", "project_id", "parent_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "folders_ancestor_ids_idx" ON "folders" USING GIN ("ancestor_ids");

-- CreateIndex
CREATE UNIQUE INDEX "folders_organization_id_project_id_id_key" ON "folders"("organization_id", "project_id", "id");

-- CreateIndex
CREATE INDEX "folder_assignments_organization_id_email_idx" ON "folder_assignments"("organization_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "documents_id_key" ON "documents"("id");

-- CreateIndex
CREATE UNIQUE INDEX "documents_organization_id_project_id_id_key" ON "documents"("organization_id", "project_id", "id");

-- CreateIndex
CREATE INDEX "document_assignments_organization_id_email_idx" ON "document_assignments"("organization_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "revisions_id_key" ON "revisions"("id");

-- CreateIndex
CREATE INDEX "revisions_organization_id_blob_id_idx" ON "revisions"("organization_id", "blob_id");

-- CreateIndex
CREATE UNIQUE INDEX "revisions_organization_id_document_id_number_key" ON "revisions"("organization_id", "document_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "blobs_id_key" ON "blobs"("id");

-- CreateIndex
CREATE UNIQUE INDEX "blobs_organization_id_sha256_key" ON "blobs"("organization_id", "sha256");

-- CreateIndex
CREATE UNIQUE INDEX "uploads_id_key" ON "uploads"("id");

-- CreateIndex
CREATE UNIQUE INDEX "uploads_blob_id_key" ON "uploads"("blob_id");

-- CreateIndex
CREATE INDEX "uploads_organization_id_document_id_idx" ON "uploads"("organization_id", "document_id");

-- CreateIndex
CREATE UNIQUE INDEX "tags_id_key" ON "tags"("id");

-- CreateIndex
CREATE UNIQUE INDEX "tags_organization_id_project_id_text_key_key" ON "tags"("organization_id", "project_id", "text_key");

-- CreateIndex
CREATE INDEX "document_tags_organization_id_tag_id_document_id_idx" ON "document_tags"("organization_id", "tag_id", "document_id");

-- CreateIndex
CREATE UNIQUE INDEX "fields_id_key" ON "fields"("id");

-- CreateIndex
CREATE INDEX "fields_organization_id_project_id_rank_id_idx" ON "fields"("organization_id", "project_id", "rank", "id");

-- CreateIndex
CREATE UNIQUE INDEX "fields_organization_id_project_id_name_key_key" ON "fields"("organization_id", "project_id", "name_key");

-- CreateIndex
CREATE UNIQUE INDEX "field_list_items_id_key" ON "field_list_items"("id");

-- CreateIndex
CREATE INDEX "field_list_items_organization_id_field_id_rank_id_idx" ON "field_list_items"("organization_id", "field_id", "rank", "id");

-- CreateIndex
CREATE UNIQUE INDEX "field_list_items_organization_id_field_id_parent_value_valu_key" ON "field_list_items"("organization_id", "field_id", "parent_value", "value");

-- CreateIndex
CREATE INDEX "document_field_values_organization_id_field_id_text_key_idx" ON "document_field_values"("organization_id", "field_id", "text_key");

-- CreateIndex
CREATE INDEX "document_field_values_organization_id_field_id_number_idx" ON "document_field_values"("organization_id", "field_id", "number");

-- CreateIndex
CREATE INDEX "document_field_values_organization_id_field_id_date_idx" ON "document_field_values"("organization_id", "field_id", "date");

-- CreateIndex
CREATE UNIQUE INDEX "events_id_key" ON "events"("id");

-- CreateIndex
CREATE INDEX "events_organization_id_subject_id_sequence_idx" ON "events"("organization_id", "subject_id", "sequence");

-- CreateIndex
CREATE INDEX "events_organization_id_project_id_sequence_idx" ON "events"("organization_id", "project_id", "sequence");

-- CreateIndex
CREATE INDEX "security_events_user_id_created_at_id_idx" ON "security_events"("user_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "tasks_id_key" ON "tasks"("id");

-- CreateIndex
CREATE INDEX "tasks_organization_id_project_id_created_at_id_idx" ON "tasks"("organization_id", "project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "tasks_organization_id_project_id_state_created_at_id_idx" ON "tasks"("organization_id", "project_id", "state", "created_at", "id");

-- CreateIndex
CREATE INDEX "tasks_organization_id_assignee_email_state_idx" ON "tasks"("organization_id", "assignee_email", "state");

-- CreateIndex
CREATE INDEX "tasks_organization_id_parent_id_idx" ON "tasks"("organization_id", "parent_id");

-- CreateIndex
CREATE UNIQUE INDEX "tasks_organization_id_project_id_id_key" ON "tasks"("organization_id", "project_id", "id");

-- CreateIndex
CREATE INDEX "task_documents_organization_id_document_id_idx" ON "task_documents"("organization_id", "document_id");

-- CreateIndex
CREATE UNIQUE INDEX "task_documents_organization_id_task_id_position_key" ON "task_documents"("organization_id", "task_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "form_templates_id_key" ON "form_templates"("id");

-- CreateIndex
CREATE UNIQUE INDEX "form_templates_link_id_key" ON "form_templates"("link_id");

-- CreateIndex
CREATE INDEX "form_templates_organization_id_project_id_created_at_id_idx" ON "form_templates"("organization_id", "project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "form_shares_organization_id_email_idx" ON "form_shares"("organization_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "form_fields_id_key" ON "form_fields"("id");

-- CreateIndex
CREATE UNIQUE INDEX "form_fields_link_id_key" ON "form_fields"("link_id");

-- CreateIndex
CREATE INDEX "form_fields_organization_id_form_template_id_rank_id_idx" ON "form_fields"("organization_id", "form_template_id", "rank", "id");

-- CreateIndex
CREATE INDEX "form_fields_organization_id_field_id_idx" ON "form_fields"("organization_id", "field_id");

-- CreateIndex
CREATE UNIQUE INDEX "form_submissions_id_key" ON "form_submissions"("id");

-- CreateIndex
CREATE INDEX "form_submissions_organization_id_form_template_id_created_a_idx" ON "form_submissions"("organization_id", "form_template_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "form_submissions_organization_id_project_id_group_id_idx" ON "form_submissions"("organization_id", "project_id", "group_id");

-- CreateIndex
CREATE UNIQUE INDEX "processes_id_key" ON "processes"("id");

-- CreateIndex
CREATE INDEX "processes_organization_id_project_id_created_at_id_idx" ON "processes"("organization_id", "project_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "process_steps_id_key" ON "process_steps"("id");

-- CreateIndex
CREATE UNIQUE INDEX "process_steps_organization_id_process_id_rank_key" ON "process_steps"("organization_id", "process_id", "rank");

-- CreateIndex
CREATE INDEX "process_step_approvers_organization_id_user_id_idx" ON "process_step_approvers"("organization_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "process_runs_id_key" ON "process_runs"("id");

-- CreateIndex
CREATE INDEX "process_runs_organization_id_process_id_created_at_id_idx" ON "process_runs"("organization_id", "process_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "process_runs_organization_id_document_id_idx" ON "process_runs"("organization_id", "document_id");

-- CreateIndex
CREATE INDEX "process_runs_organization_id_task_id_idx" ON "process_runs"("organization_id", "task_id");

-- CreateIndex
CREATE UNIQUE INDEX "approvals_id_key" ON "approvals"("id");

-- CreateIndex
CREATE INDEX "approvals_organization_id_project_id_created_at_id_idx" ON "approvals"("organization_id", "project_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "approvals_organization_id_run_id_step_id_key" ON "approvals"("organization_id", "run_id", "step_id");

-- CreateIndex
CREATE INDEX "approvers_user_id_organization_id_approval_id_idx" ON "approvers"("user_id", "organization_id", "approval_id");

-- CreateIndex
CREATE UNIQUE INDEX "signature_forms_id_key" ON "signature_forms"("id");

-- CreateIndex
CREATE UNIQUE INDEX "signature_forms_organization_id_document_id_key" ON "signature_forms"("organization_id", "document_id");

-- CreateIndex
CREATE UNIQUE INDEX "signature_fields_id_key" ON "signature_fields"("id");

-- CreateIndex
CREATE INDEX "signature_fields_organization_id_form_id_rank_id_idx" ON "signature_fields"("organization_id", "form_id", "rank", "id");

-- CreateIndex
CREATE INDEX "signature_fields_organization_id_recipient_id_idx" ON "signature_fields"("organization_id", "recipient_id");

-- CreateIndex
CREATE UNIQUE INDEX "signature_sessions_id_key" ON "signature_sessions"("id");

-- CreateIndex
CREATE INDEX "signature_sessions_organization_id_document_id_created_at_i_idx" ON "signature_sessions"("organization_id", "document_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "signature_recipients_id_key" ON "signature_recipients"("id");

-- CreateIndex
CREATE INDEX "signature_recipients_organization_id_session_id_rank_id_idx" ON "signature_recipients"("organization_id", "session_id", "rank", "id");

-- CreateIndex
CREATE UNIQUE INDEX "signature_form_templates_id_key" ON "signature_form_templates"("id");

-- CreateIndex
CREATE INDEX "signature_form_templates_organization_id_project_id_created_idx" ON "signature_form_templates"("organization_id", "project_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "signature_template_fields_id_key" ON "signature_template_fields"("id");

-- CreateIndex
CREATE INDEX "signature_template_fields_organization_id_template_id_rank__idx" ON "signature_template_fields"("organization_id", "template_id", "rank", "id");

-- CreateIndex
CREATE UNIQUE INDEX "search_templates_id_key" ON "search_templates"("id");

-- CreateIndex
CREATE INDEX "search_templates_organization_id_created_by_id_created_at_i_idx" ON "search_templates"("organization_id", "created_by_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "clients_organization_id_created_at_id_idx" ON "clients"("organization_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "client_secrets_secret_hash_key" ON "client_secrets"("secret_hash");

-- CreateIndex
CREATE INDEX "client_secrets_client_id_idx" ON "client_secrets"("client_id");

-- CreateIndex
CREATE INDEX "grants_user_id_created_at_id_idx" ON "grants"("user_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "grants_client_id_idx" ON "grants"("client_id");

-- CreateIndex
CREATE INDEX "authorization_codes_grant_id_idx" ON "authorization_codes"("grant_id");

-- CreateIndex
CREATE INDEX "authorization_codes_expires_at_idx" ON "authorization_codes"("expires_at");

-- CreateIndex
CREATE INDEX "access_tokens_grant_id_idx" ON "access_tokens"("grant_id");

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "refresh_tokens_grant_id_idx" ON "refresh_tokens"("grant_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_expires_at_idx" ON "refresh_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "signing_keys_purpose_created_at_idx" ON "signing_keys"("purpose", "created_at");

-- AddForeignKey
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_modified_by_id_fkey" FOREIGN KEY ("modified_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_organization_id_source_id_fkey" FOREIGN KEY ("organization_id", "source_id") REFERENCES "projects"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_modified_by_id_fkey" FOREIGN KEY ("modified_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_purge_marked_by_id_fkey" FOREIGN KEY ("purge_marked_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "folders" ADD CONSTRAINT "folders_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "folders" ADD CONSTRAINT "folders_organization_id_project_id_parent_id_fkey" FOREIGN KEY ("organization_id", "project_id", "parent_id") REFERENCES "folders"("organization_id", "project_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "folders" ADD CONSTRAINT "folders_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "folders" ADD CONSTRAINT "folders_modified_by_id_fkey" FOREIGN KEY ("modified_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "folder_assignments" ADD CONSTRAINT "folder_assignments_organization_id_folder_id_fkey" FOREIGN KEY ("organization_id", "folder_id") REFERENCES "folders"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_organization_id_project_id_folder_id_fkey" FOREIGN KEY ("organization_id", "project_id", "folder_id") REFERENCES "folders"("organization_id", "project_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_modified_by_id_fkey" FOREIGN KEY ("modified_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_recycled_by_id_fkey" FOREIGN KEY ("recycled_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_assignments" ADD CONSTRAINT "document_assignments_organization_id_document_id_fkey" FOREIGN KEY ("organization_id", "document_id") REFERENCES "documents"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "revisions" ADD CONSTRAINT "revisions_organization_id_document_id_fkey" FOREIGN KEY ("organization_id", "document_id") REFERENCES "documents"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "revisions" ADD CONSTRAINT "revisions_organization_id_blob_id_fkey" FOREIGN KEY ("organization_id", "blob_id") REFERENCES "blobs"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "revisions" ADD CONSTRAINT "revisions_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_organization_id_document_id_fkey" FOREIGN KEY ("organization_id", "document_id") REFERENCES "documents"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tags" ADD CONSTRAINT "tags_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_tags" ADD CONSTRAINT "document_tags_organization_id_document_id_fkey" FOREIGN KEY ("organization_id", "document_id") REFERENCES "documents"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_tags" ADD CONSTRAINT "document_tags_organization_id_tag_id_fkey" FOREIGN KEY ("organization_id", "tag_id") REFERENCES "tags"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fields" ADD CONSTRAINT "fields_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fields" ADD CONSTRAINT "fields_organization_id_parent_id_fkey" FOREIGN KEY ("organization_id", "parent_id") REFERENCES "fields"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fields" ADD CONSTRAINT "fields_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "field_list_items" ADD CONSTRAINT "field_list_items_organization_id_field_id_fkey" FOREIGN KEY ("organization_id", "field_id") REFERENCES "fields"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_field_values" ADD CONSTRAINT "document_field_values_organization_id_document_id_fkey" FOREIGN KEY ("organization_id", "document_id") REFERENCES "documents"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_field_values" ADD CONSTRAINT "document_field_values_organization_id_field_id_fkey" FOREIGN KEY ("organization_id", "field_id") REFERENCES "fields"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_heads" ADD CONSTRAINT "event_heads_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_organization_id_parent_id_fkey" FOREIGN KEY ("organization_id", "parent_id") REFERENCES "tasks"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_organization_id_run_id_fkey" FOREIGN KEY ("organization_id", "run_id") REFERENCES "process_runs"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_assignee_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_modified_by_id_fkey" FOREIGN KEY ("modified_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_completed_by_id_fkey" FOREIGN KEY ("completed_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_documents" ADD CONSTRAINT "task_documents_organization_id_project_id_task_id_fkey" FOREIGN KEY ("organization_id", "project_id", "task_id") REFERENCES "tasks"("organization_id", "project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_documents" ADD CONSTRAINT "task_documents_organization_id_project_id_document_id_fkey" FOREIGN KEY ("organization_id", "project_id", "document_id") REFERENCES "documents"("organization_id", "project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_documents" ADD CONSTRAINT "task_documents_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_templates" ADD CONSTRAINT "form_templates_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_templates" ADD CONSTRAINT "form_templates_organization_id_blob_id_fkey" FOREIGN KEY ("organization_id", "blob_id") REFERENCES "blobs"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_templates" ADD CONSTRAINT "form_templates_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_templates" ADD CONSTRAINT "form_templates_modified_by_id_fkey" FOREIGN KEY ("modified_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_shares" ADD CONSTRAINT "form_shares_organization_id_form_template_id_fkey" FOREIGN KEY ("organization_id", "form_template_id") REFERENCES "form_templates"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_shares" ADD CONSTRAINT "form_shares_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_fields" ADD CONSTRAINT "form_fields_organization_id_form_template_id_fkey" FOREIGN KEY ("organization_id", "form_template_id") REFERENCES "form_templates"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_fields" ADD CONSTRAINT "form_fields_organization_id_field_id_fkey" FOREIGN KEY ("organization_id", "field_id") REFERENCES "fields"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_submissions" ADD CONSTRAINT "form_submissions_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_submissions" ADD CONSTRAINT "form_submissions_organization_id_form_template_id_fkey" FOREIGN KEY ("organization_id", "form_template_id") REFERENCES "form_templates"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_submissions" ADD CONSTRAINT "form_submissions_submitted_by_id_fkey" FOREIGN KEY ("submitted_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_submission_values" ADD CONSTRAINT "form_submission_values_organization_id_submission_id_fkey" FOREIGN KEY ("organization_id", "submission_id") REFERENCES "form_submissions"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_submission_values" ADD CONSTRAINT "form_submission_values_organization_id_form_field_id_fkey" FOREIGN KEY ("organization_id", "form_field_id") REFERENCES "form_fields"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "processes" ADD CONSTRAINT "processes_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "processes" ADD CONSTRAINT "processes_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "processes" ADD CONSTRAINT "processes_modified_by_id_fkey" FOREIGN KEY ("modified_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_steps" ADD CONSTRAINT "process_steps_organization_id_process_id_fkey" FOREIGN KEY ("organization_id", "process_id") REFERENCES "processes"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_step_approvers" ADD CONSTRAINT "process_step_approvers_organization_id_step_id_fkey" FOREIGN KEY ("organization_id", "step_id") REFERENCES "process_steps"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_step_approvers" ADD CONSTRAINT "process_step_approvers_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_step_approvers" ADD CONSTRAINT "process_step_approvers_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_runs" ADD CONSTRAINT "process_runs_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_runs" ADD CONSTRAINT "process_runs_organization_id_process_id_fkey" FOREIGN KEY ("organization_id", "process_id") REFERENCES "processes"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_runs" ADD CONSTRAINT "process_runs_organization_id_project_id_document_id_fkey" FOREIGN KEY ("organization_id", "project_id", "document_id") REFERENCES "documents"("organization_id", "project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_runs" ADD CONSTRAINT "process_runs_organization_id_project_id_task_id_fkey" FOREIGN KEY ("organization_id", "project_id", "task_id") REFERENCES "tasks"("organization_id", "project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_runs" ADD CONSTRAINT "process_runs_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "process_runs" ADD CONSTRAINT "process_runs_completed_by_id_fkey" FOREIGN KEY ("completed_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_organization_id_run_id_fkey" FOREIGN KEY ("organization_id", "run_id") REFERENCES "process_runs"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_organization_id_step_id_fkey" FOREIGN KEY ("organization_id", "step_id") REFERENCES "process_steps"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_decided_by_id_fkey" FOREIGN KEY ("decided_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvers" ADD CONSTRAINT "approvers_organization_id_approval_id_fkey" FOREIGN KEY ("organization_id", "approval_id") REFERENCES "approvals"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvers" ADD CONSTRAINT "approvers_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvers" ADD CONSTRAINT "approvers_delegated_from_id_fkey" FOREIGN KEY ("delegated_from_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_forms" ADD CONSTRAINT "signature_forms_organization_id_document_id_fkey" FOREIGN KEY ("organization_id", "document_id") REFERENCES "documents"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_forms" ADD CONSTRAINT "signature_forms_organization_id_template_id_fkey" FOREIGN KEY ("organization_id", "template_id") REFERENCES "signature_form_templates"("organization_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_forms" ADD CONSTRAINT "signature_forms_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_fields" ADD CONSTRAINT "signature_fields_organization_id_form_id_fkey" FOREIGN KEY ("organization_id", "form_id") REFERENCES "signature_forms"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_fields" ADD CONSTRAINT "signature_fields_organization_id_recipient_id_fkey" FOREIGN KEY ("organization_id", "recipient_id") REFERENCES "signature_recipients"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_sessions" ADD CONSTRAINT "signature_sessions_organization_id_document_id_fkey" FOREIGN KEY ("organization_id", "document_id") REFERENCES "documents"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_sessions" ADD CONSTRAINT "signature_sessions_organization_id_revision_id_fkey" FOREIGN KEY ("organization_id", "revision_id") REFERENCES "revisions"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_sessions" ADD CONSTRAINT "signature_sessions_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_sessions" ADD CONSTRAINT "signature_sessions_modified_by_id_fkey" FOREIGN KEY ("modified_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_recipients" ADD CONSTRAINT "signature_recipients_organization_id_session_id_fkey" FOREIGN KEY ("organization_id", "session_id") REFERENCES "signature_sessions"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_recipients" ADD CONSTRAINT "signature_recipients_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_form_templates" ADD CONSTRAINT "signature_form_templates_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_form_templates" ADD CONSTRAINT "signature_form_templates_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_template_fields" ADD CONSTRAINT "signature_template_fields_organization_id_template_id_fkey" FOREIGN KEY ("organization_id", "template_id") REFERENCES "signature_form_templates"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "search_templates" ADD CONSTRAINT "search_templates_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "search_templates" ADD CONSTRAINT "search_templates_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "projects"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "search_templates" ADD CONSTRAINT "search_templates_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "clients" ADD CONSTRAINT "clients_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "clients" ADD CONSTRAINT "clients_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grants" ADD CONSTRAINT "grants_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- The orders and lookups of documents; most are ACTIVE, so each list has an index of its own.
CREATE INDEX documents_active_created ON documents (organization_id, project_id, created_at, id) WHERE state = 'ACTIVE';
CREATE INDEX documents_active_name ON documents (organization_id, project_id, name_key, id) WHERE state = 'ACTIVE';
CREATE INDEX documents_active_folder_created ON documents (organization_id, project_id, folder_id, created_at, id) WHERE state = 'ACTIVE';
CREATE INDEX documents_active_folder_name ON documents (organization_id, project_id, folder_id, name_key, id) WHERE state = 'ACTIVE';
CREATE INDEX documents_active_group ON documents (organization_id, project_id, group_id, created_at, id) WHERE state = 'ACTIVE' AND group_id IS NOT NULL;
CREATE INDEX documents_recycled ON documents (organization_id, project_id, recycled_at, id) WHERE state = 'RECYCLED';
CREATE INDEX documents_to_purge ON documents (purge_at) WHERE state = 'RECYCLED';
CREATE INDEX documents_text_pending ON documents (created_at) WHERE text_status = 'PENDING';
CREATE INDEX events_comments ON events (organization_id, subject_id, sequence, id) WHERE kind = 'document.commented' OR kind = 'task.commented';
CREATE INDEX uploads_open ON uploads (expires_at) WHERE state IN ('RESERVED', 'RECEIVED');
CREATE UNIQUE INDEX signature_sessions_open ON signature_sessions (organization_id, document_id) WHERE state IN ('DRAFT', 'ACTIVE');
CREATE UNIQUE INDEX process_runs_open_document ON process_runs (organization_id, process_id, document_id) WHERE state = 'PENDING' AND document_id IS NOT NULL;
CREATE UNIQUE INDEX process_runs_open_task ON process_runs (organization_id, process_id, task_id) WHERE state = 'PENDING' AND task_id IS NOT NULL;
CREATE INDEX approvals_pending ON approvals (organization_id, project_id, created_at, id) WHERE state = 'PENDING';
CREATE INDEX approvers_pending ON approvers (user_id, organization_id, approval_id) WHERE state = 'PENDING';
CREATE INDEX signature_sessions_to_seal ON signature_sessions (sealing_next_at) WHERE sealing = 'PENDING';

-- States and what goes with them.
ALTER TABLE documents
  ADD CONSTRAINT documents_recycled CHECK ((state = 'RECYCLED') = (recycled_at IS NOT NULL) AND (state = 'RECYCLED') = (purge_at IS NOT NULL)),
  ADD CONSTRAINT documents_revision CHECK (revision_number >= 1),
  ADD CONSTRAINT documents_size CHECK (size >= 0),
  ADD CONSTRAINT documents_pages CHECK (page_count >= 0);
ALTER TABLE revisions
  ADD CONSTRAINT revisions_number CHECK (number >= 1),
  ADD CONSTRAINT revisions_restored CHECK (restored_from < number),
  ADD CONSTRAINT revisions_size CHECK (size >= 0);
ALTER TABLE blobs
  ADD CONSTRAINT blobs_size CHECK (size >= 0),
  ADD CONSTRAINT blobs_sha256 CHECK (length(sha256) = 32);
ALTER TABLE uploads
  ADD CONSTRAINT uploads_received CHECK (state NOT IN ('RECEIVED', 'CONFIRMED') OR (received_at IS NOT NULL AND size >= 0 AND length(sha256) = 32)),
  ADD CONSTRAINT uploads_confirmed CHECK ((state = 'CONFIRMED') = (confirmed_at IS NOT NULL) AND (state = 'CONFIRMED') = (document_id IS NOT NULL)),
  ADD CONSTRAINT uploads_lifetime CHECK (expires_at > created_at);
ALTER TABLE folders
  ADD CONSTRAINT folders_parent CHECK ((parent_id IS NULL) = (cardinality(ancestor_ids) = 0) AND (parent_id IS NULL OR parent_id = ancestor_ids[cardinality(ancestor_ids)])),
  ADD CONSTRAINT folders_acyclic CHECK (NOT id = ANY (ancestor_ids));
ALTER TABLE tasks
  ADD CONSTRAINT tasks_completed CHECK ((state = 'OPEN') = (completed_at IS NULL));
ALTER TABLE process_runs
  ADD CONSTRAINT process_runs_item CHECK (num_nonnulls(document_id, task_id) = 1),
  ADD CONSTRAINT process_runs_completed CHECK ((state = 'PENDING') = (completed_at IS NULL));
ALTER TABLE approvals
  ADD CONSTRAINT approvals_decided CHECK ((state = 'PENDING') = (decided_at IS NULL));
ALTER TABLE approvers
  ADD CONSTRAINT approvers_decided CHECK ((state = 'PENDING') = (decided_at IS NULL));
ALTER TABLE signature_sessions
  ADD CONSTRAINT signature_sessions_completed CHECK ((state = 'COMPLETED') = (completed_at IS NOT NULL)),
  ADD CONSTRAINT signature_sessions_stopped CHECK ((state = 'STOPPED') = (stopped_at IS NOT NULL));
ALTER TABLE signature_recipients
  ADD CONSTRAINT signature_recipients_completed CHECK ((state = 'COMPLETED') = (completed_at IS NOT NULL));
ALTER TABLE form_templates
  ADD CONSTRAINT form_templates_public CHECK (NOT is_public OR state = 'SHARED');
ALTER TABLE events
  ADD CONSTRAINT events_sequence CHECK (sequence >= 1),
  ADD CONSTRAINT events_hash CHECK (length(hash) = 32);
ALTER TABLE users
  ADD CONSTRAINT users_email CHECK (email = lower(email));
ALTER TABLE grants
  ADD CONSTRAINT grants_scopes CHECK (cardinality(scopes) > 0);
ALTER TABLE api_keys
  ADD CONSTRAINT api_keys_scopes CHECK (cardinality(scopes) > 0);

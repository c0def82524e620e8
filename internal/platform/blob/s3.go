package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3 is a Store that keeps blobs in a bucket, under an optional prefix.
type S3 struct {
	client *minio.Client
	bucket string
	prefix string
}

// OpenS3 opens the bucket at address, which has the form
// s3://KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX][?region=…&insecure=1]. Without KEY and SECRET it uses the environment
// variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
func OpenS3(ctx context.Context, address string) (*S3, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" {
		return nil, errors.New("blob address: want s3://HOST/BUCKET") // do not print the address: it may contain a secret
	}
	bucket, prefix, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	if bucket == "" {
		return nil, errors.New("blob address has no bucket: want s3://HOST/BUCKET")
	}
	keys := credentials.NewEnvAWS()
	if u.User != nil {
		secret, _ := u.User.Password()
		keys = credentials.NewStaticV4(u.User.Username(), secret, "")
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds:        keys,
		Secure:       u.Query().Get("insecure") == "",
		Region:       u.Query().Get("region"),
		BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		return nil, fmt.Errorf("open blob store at %s: %w", u.Host, err)
	}
	exists, err := client.BucketExists(ctx, bucket)
	if err != nil {
		return nil, fmt.Errorf("reach blob store at %s: %w", u.Host, err)
	}
	if !exists {
		return nil, fmt.Errorf("blob store at %s has no bucket %s: create it first", u.Host, bucket)
	}
	if prefix != "" {
		prefix += "/"
	}
	return &S3{client: client, bucket: bucket, prefix: prefix}, nil
}

// Put uploads a blob. S3 makes it visible only when complete, and rejects it if the name exists.
func (s *S3) Put(ctx context.Context, name string, r io.Reader, size int64) error {
	if err := checkName(name); err != nil {
		return err
	}
	options := minio.PutObjectOptions{ContentType: "application/octet-stream"}
	options.SetMatchETagExcept("*")
	_, err := s.client.PutObject(ctx, s.bucket, s.prefix+name, r, size, options)
	if minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed {
		return ErrExists
	}
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	return nil
}

// Open opens a blob for reading.
func (s *S3) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	object, err := s.client.GetObject(ctx, s.bucket, s.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("open blob: %w", err)
	}
	if _, err := object.Stat(); err != nil { // GetObject sends no request; Stat does
		_ = object.Close()
		if minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
			return nil, ErrUnknown
		}
		return nil, fmt.Errorf("open blob: %w", err)
	}
	return object, nil
}

// Delete removes a blob. S3 accepts the deletion of a missing object.
func (s *S3) Delete(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := s.client.RemoveObject(ctx, s.bucket, s.prefix+name, minio.RemoveObjectOptions{}); err != nil {
		return fmt.Errorf("delete blob: %w", err)
	}
	return nil
}

// Each calls fn with every blob name in the bucket.
func (s *S3) Each(ctx context.Context, fn func(name string) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // stops the listing when fn fails
	for object := range s.client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix, Recursive: true}) {
		if object.Err != nil {
			return fmt.Errorf("list blobs: %w", object.Err)
		}
		if err := fn(strings.TrimPrefix(object.Key, s.prefix)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

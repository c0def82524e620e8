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

// S3 keeps blobs in a bucket, below a prefix.
type S3 struct {
	client *minio.Client
	bucket string
	prefix string
}

// OpenS3 reads an address s3://KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX][?region=…&insecure=1]. Keys may be
// left out and come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) instead; there are no
// default ones.
func OpenS3(ctx context.Context, address string) (*S3, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" {
		return nil, errors.New("blob address: want s3://HOST/BUCKET") // the address itself may hold a secret
	}
	bucket, prefix, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	if bucket == "" {
		return nil, errors.New("blob address: it names no bucket")
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
	there, err := client.BucketExists(ctx, bucket)
	if err != nil {
		return nil, fmt.Errorf("reach blob store at %s: %w", u.Host, err)
	}
	if !there {
		return nil, fmt.Errorf("blob store at %s has no bucket %s", u.Host, bucket)
	}
	if prefix != "" {
		prefix += "/"
	}
	return &S3{client: client, bucket: bucket, prefix: prefix}, nil
}

// Put sends a blob whole; S3 shows it only once it is complete, and keeps it from replacing another.
func (s *S3) Put(ctx context.Context, name string, r io.Reader, size int64) error {
	if err := checkName(name); err != nil {
		return err
	}
	options := minio.PutObjectOptions{ContentType: "application/octet-stream"}
	options.SetMatchETagExcept("*")
	_, err := s.client.PutObject(ctx, s.bucket, s.prefix+name, r, size, options)
	if minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed {
		return ErrTaken
	}
	if err != nil {
		return fmt.Errorf("put blob: %w", err)
	}
	return nil
}

// Open reads a blob.
func (s *S3) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	object, err := s.client.GetObject(ctx, s.bucket, s.prefix+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("open blob: %w", err)
	}
	if _, err := object.Stat(); err != nil { // GetObject itself asks nothing yet
		_ = object.Close() // nothing was read
		if minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
			return nil, ErrUnknown
		}
		return nil, fmt.Errorf("open blob: %w", err)
	}
	return object, nil
}

// Delete removes a blob; S3 does not mind one that is not there.
func (s *S3) Delete(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := s.client.RemoveObject(ctx, s.bucket, s.prefix+name, minio.RemoveObjectOptions{}); err != nil {
		return fmt.Errorf("delete blob: %w", err)
	}
	return nil
}

// Each lists the bucket.
func (s *S3) Each(ctx context.Context, fn func(name string) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the listing when fn fails
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
